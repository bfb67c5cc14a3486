// What can go wrong around an answer: an id, and what its message under `element.error` names.
export class Failure extends Error {
  constructor(id, values = {}, cause = undefined) {
    super(id, { cause });
    Object.assign(this, { id, values });
  }
  // As the host is told it.
  told({ t }) {
    return { id: this.id, message: t(`element.error.${this.id}`, this.values) };
  }
}
