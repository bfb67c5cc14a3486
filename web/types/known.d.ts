// An id of a list that may grow: those known now complete in an editor, any other text is taken too.
export type Known<Id extends string> = Id | (string & {});
