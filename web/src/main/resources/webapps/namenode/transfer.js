// Bytes to and from a DataNode. The pages may speak to the NameNode alone; a worker that is made for one DataNode may
// speak to that one alone.

const REFUSED = 'Perhaps this browser does not reach it, or the DataNode refuses browsers (dfs.webhdfs.rest-csrf.enabled).';

/** Runs what a worker does for one address: it answers {sent}, {text} or {problem}. */
function work(address, order, sent = () => {}) {
  const {host} = new URL(address);
  return new Promise((resolve, reject) => {
    const worker = new Worker(`api/transfer.js?node=${encodeURIComponent(host)}`);
    const end = (settle, value) => {
      worker.terminate();
      settle(value);
    };
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

/** @param tell is called with how many bytes are sent */
export const send = (address, file, tell) => work(address, {file}, tell);

/** The bytes at the address. */
export const receive = address => work(address, {});
