import { nearest } from './nearest.mjs';

// What is told in bytes of an engine's start.
const inBytes = /profile|beside|at-load|varies|-copy|full-w/;

// Notices in words. `used` is a count of parameters, bytes or the figure of a field, by what the notice is about.
export function noticeText(notice, names, { t, has, format }) {
  const used = () => {
    if (notice.id === 'mixture-resident' || notice.field === 'params') return format.params(notice.used);
    if (notice.id === 'tower-separate-file') return format.bytes(notice.used, 'GB');
    if (inBytes.test(notice.id)) return format.bytes(notice.used, 'GiB');
    return format.number(notice.used, 2);
  };
  const near = { 'unknown-model': names.models, 'unknown-gpu': names.gpus }[notice.id];
  const ids = near ? nearest(notice.value, near) : [];
  const hint = ids.length ? ` ${t('notice_hint.nearest', { ids: ids.join(', ') })}` : '';
  return t(has(`notice.${notice.id}`) ? `notice.${notice.id}` : 'notice.other', {
    id: notice.id,
    field: has(`field.${notice.field}`) ? t(`field.${notice.field}`) : notice.field,
    value: notice.value,
    used: used(),
    gpu: names.entry(notice.value)?.name ?? notice.value,
  }) + hint;
}
