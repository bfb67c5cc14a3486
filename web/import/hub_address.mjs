// Where the model hub is, and where it keeps what it sends on to: https://huggingface.co/.well-known/meta.json lists those hosts, all of
// them below hf.co.
export const hub = 'https://huggingface.co';
export const hubHosts = [hub, 'https://*.hf.co'];
