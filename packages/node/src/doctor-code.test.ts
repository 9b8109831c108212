import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { boundsHere } from '@harvestman/sandbox'
import { expect, test } from 'vitest'

import { code } from './doctor-code.ts'

test(
  'the doctor says that code is refused where it is off, and that it has no fence where there is none',
  { tags: ['long'] },
  async () => {
    expect(await code({ sandbox: 'off', sandboxBound: 'kernel' })).toMatchObject({
      state: 'missing',
      message: expect.stringContaining('off') as string,
    })
    const { state, message, fix } = await code({ sandbox: 'unsafe-process', sandboxBound: 'kernel' })
    expect({ state, message, fix }).toEqual({
      state: 'missing',
      message: expect.stringMatching(/node.*without a sandbox/) as string,
      fix: expect.stringContaining('HARVESTMAN_SANDBOX=bubblewrap') as string,
    })
  },
)

test(
  'the doctor runs a line of each language in a jail, and says that not all of its memory is counted',
  { tags: ['long', 'bubblewrap'] },
  async () => {
    expect(await code({ sandbox: 'bubblewrap', sandboxBound: 'watched' })).toEqual({
      name: 'code',
      state: 'missing',
      message: expect.stringMatching(/^node.*bash, in a sandbox that measures its own memory/) as string,
      fix: expect.stringContaining('HARVESTMAN_SANDBOX_BOUND=') as string,
    })
  },
)

test('the doctor says what the kernel bounds of a jail', { tags: ['long', 'bubblewrap'] }, async ({ skip }) => {
  if (boundsHere().obstacle !== undefined) skip('this process may not make control groups')
  expect(await code({ sandbox: 'bubblewrap', sandboxBound: 'kernel' })).toEqual({
    name: 'code',
    state: 'good',
    message: expect.stringMatching(/^node.*bash, in a sandbox; the kernel limits its memory, pids/) as string,
  })
})

test(
  'the doctor says what is to be installed where a jail would be weaker, and that code is refused',
  { tags: ['bubblewrap'] },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'harvestman-test-'))
    const path = process.env['PATH']
    try {
      chmodSync(folder, 0o755)
      // The same jail, on a system that lacks a program.
      const script = `#!/usr/bin/env bash
PATH=\${PATH#*:}; all=(); for one in "$@"; do [ "$one" = -- ] && [ -z "$seen" ] && all+=(--ro-bind /dev/null /usr/bin/setpriv) && seen=1; all+=("$one"); done
exec /usr/bin/bwrap "\${all[@]}"`
      writeFileSync(join(folder, 'bwrap'), script)
      chmodSync(join(folder, 'bwrap'), 0o755)
      process.env['PATH'] = `${folder}:${path ?? ''}`
      const finding = await code({ sandbox: 'auto', sandboxBound: 'watched' })
      expect(finding).toMatchObject({
        state: 'missing',
        message: expect.stringContaining('refused') as string,
        fix: expect.stringContaining('install util-linux') as string,
      })
    } finally {
      process.env['PATH'] = path
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
