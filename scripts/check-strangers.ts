import type { NamedFile } from './check-names.ts'

/** Who may listen for messages by hand, and why. Everyone else has `talkOver` and `hearOn`, which catch what breaks. */
const mayListen: Readonly<Record<string, string>> = {
  'packages/data/src/datasets/query/worker.ts': 'the engine that started it speaks',
  'packages/toolbox/src/socket-talk.ts': 'it is the place',
  'packages/threads/src/threads.ts': 'a thread of this process speaks',
  'packages/threads/src/thread.ts': 'it is the thread',
  'packages/redis/src/watch.ts': 'the server of the operator speaks',
  'packages/search/src/pages/thread.ts': 'a thread of this process speaks',
  'packages/search/src/pages/worker.ts': 'it is the thread',
}

const listens = /\.on(?:ce)?\(\s*'message'|addEventListener\(\s*'message'|\bsocket\.onmessage\s*=/

/** Places that listen for messages of a socket by hand: one that breaks there would end the process. A sentence for each. */
export function findListeners(files: readonly NamedFile[]): string[] {
  return files
    .filter(({ file, text }) => isServers(file) && !(file in mayListen) && listens.test(text))
    .map(
      ({ file }) => `${file} listens for messages by hand: use talkOver or hearOn of @harvestman/toolbox/socket-talk.`,
    )
}

// What runs in the browser of a viewer, and what only tests run, ends no server.
const isServers = (file: string): boolean =>
  /^packages\/[\w-]+\/src\//.test(file) && !/\.test\.|\/fixtures\/|^packages\/testing\/|page-scripts\.ts$/.test(file)
