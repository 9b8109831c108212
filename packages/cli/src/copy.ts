import { copyStore, withoutCredentials } from '@harvestman/node'

import { exitCodes, type Shell } from './shell.ts'

export interface CopyFlags {
  readonly from: string
  readonly to: string
  readonly replace?: boolean
}

const tellEvery = 2_000

/**
 * Copies all entries of one store to another, and deletes entries of the target that the source lacks. Resolves to the
 * exit code. Rejects if the target has data of its own, unless `replace` is set.
 */
export async function copy({ from, to, replace }: CopyFlags, shell: Shell): Promise<number> {
  let shownAt = performance.now()
  const { copied, same, removed } = await copyStore({
    from,
    to,
    replace,
    progress: (done) => {
      if (performance.now() < shownAt + tellEvery) return
      shownAt = performance.now()
      shell.err(`${done.copied + done.same} entries so far\n`)
    },
  })
  shell.err(
    `${copied} entries copied to ${withoutCredentials(to)}, ${same} already existed, ${removed} removed.\n` +
      'If a server wrote to the source during the copy, stop it and copy again to get the rest.\n',
  )
  return exitCodes.done
}
