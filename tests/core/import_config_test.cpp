#include <doctest/doctest.h>

#include "vramfit/catalog.h"
#include "vramfit/import.h"
#include "vramfit/shape.h"

using namespace vramfit;

TEST_CASE("write_shape: what it writes is read back as it was, and written the same again") {
  for (const char* shape : {"hidden8192,vocab128256;full,q64,kv8,dim128;dense,i28672;80aA",
                            "hidden2048,vocab151936;gdn,q32,keyheads16,dim128,conv4;full,q16,kv2,dim256,qknorm,gate;"
                            "moe,experts512,top10,i512,shared512,sharedgate;12(3aAbA);mtp1bA"}) {
    const ShapeResult first = parse_shape(shape);
    REQUIRE(first.ok());
    CHECK(write_shape(first.model) == shape);
  }
}
