# cmake -DIN=file -DOUT=file.inc -P EmbedText.cmake: writes IN as a comma-separated list of bytes, for a char array.
file(READ ${IN} hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
file(WRITE ${OUT} "${bytes}0\n")
