// @module-tag bubblewrap
// @module-tag python3
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { localSandbox } from '../src/index.ts'
import { bound, noBrowser, soon } from './setup.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'harvestman-test-'))
  chmodSync(folder, 0o755)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A bubblewrap that is given some more before the command. */
function bubblewrap(more: string): string {
  const path = join(folder, `bwrap-${Math.random()}`)
  const script = `#!/usr/bin/env bash
all=(); seen=
for one in "$@"; do
  if [ "$one" = -- ] && [ -z "$seen" ]; then all+=(${more}); seen=1; fi
  all+=("$one")
done
exec bwrap "\${all[@]}"`
  writeFileSync(path, script)
  chmodSync(path, 0o755)
  return path
}

describe.each(['auto', 'bubblewrap'] as const)(
  'a jail that cannot be as tight as it is to be is refused: %s',
  (mode) => {
    const rows: readonly (readonly [string, () => string, RegExp])[] = [
      ['without bubblewrap', () => join(folder, 'none'), /install it \(apt-get install bubblewrap\)/],
      ['without setpriv', () => bubblewrap('--ro-bind /dev/null /usr/bin/setpriv'), /apt-get install util-linux/],
      ['without prlimit', () => bubblewrap('--ro-bind /dev/null /usr/bin/prlimit'), /apt-get install util-linux/],
      ['with the network of the host', () => bubblewrap('--share-net'), /one can connect to the host\. It is not used/],
    ]
    test.each(rows)('%s', async (_what, program, says) => {
      const sandbox = localSandbox({ mode, bound, bubblewrap: program() })
      const opened = sandbox.open({ connect: noBrowser }, soon())
      await expect(opened).rejects.toMatchObject({
        code: 'not_configured',
        message: expect.stringMatching(says) as string,
      })
      await sandbox.close()
    })

    test('by nothing else: with the same in front of bubblewrap a jail opens', async () => {
      const sandbox = localSandbox({ mode, bound, bubblewrap: bubblewrap('') })
      const jail = await sandbox.open({ connect: noBrowser }, soon())
      expect(jail.gone.aborted).toBe(false)
      await sandbox.close()
    })
  },
)
