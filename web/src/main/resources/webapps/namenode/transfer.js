// Bytes to and from a DataNode. The pages may speak to the NameNode alone; a worker that is made for one DataNode may
// speak to that one alone.

const REFUSED = 'Perhaps this browser does not reach it, or the DataNode refuses browsers (dfs.webhdfs.rest-csrf.enabled).';

/** Runs what a worker does for one address: it answers {sent}, {bytes} or {problem}; the end of the worker ends its transfer. */
function work(address, order, {sent = () => {}, signal = null} = {}) {
  const {host} = new URL(address);
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const worker = new Worker(`api/transfer.js?node=${encodeURIComponent(host)}`);
    const end = (settle, value) => {
      worker.terminate();
      signal?.removeEventListener('abort', stop);
      settle(value);
    };
    const stop = () => end(reject, signal.reason);
    signal?.addEventListener('abort', stop);
    worker.onmessage = ({data}) => {
      if (data.problem !== undefined) {
        end(reject, new Error(`The DataNode ${host} did not take part: ${data.problem} ${REFUSED}`));
      } else if (data.sent !== undefined) {
        sent(data.sent);
      } else {
        end(resolve, data.bytes);
      }
    };
    worker.onerror = () => end(reject, new Error(`${host} is no DataNode of this cluster.`));
    worker.postMessage({address, ...order});
  });
}

/**
 * @param sent is called with how many bytes are sent
 * @param signal an AbortSignal that ends it
 */
export const send = (address, file, sent, signal) => work(address, {file}, {sent, signal});

/** The bytes at the address. */
export const receive = address => work(address, {});
