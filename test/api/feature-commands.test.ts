// Commands that a feature defines besides those of its endpoints.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { defineFeature, definePlugin } from '@harvestman/core/plugin'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'

import { Command } from '../../packages/cli/src/command-line.ts'
import { report } from '../../packages/cli/src/failures.ts'
import { addFeature } from '../../packages/cli/src/feature-commands.ts'
import { plain } from '../../packages/cli/src/paint.ts'
import { forTerminal } from '../../packages/cli/src/printable.ts'
import { exitCodes, type Shell } from '../../packages/cli/src/shell.ts'

const folder = mkdtempSync(join(tmpdir(), 'feature-commands-'))
const file = join(folder, 'lamps.jsonl')
afterAll(() => rmSync(folder, { recursive: true }))

const lamps = defineFeature({
  name: 'lamps',
  open: () => ({ names: ['one', 'two', 'three'] }),
  endpoints: (endpoint) => ({
    list: endpoint({
      method: 'GET',
      path: '/v2/lamps',
      summary: 'Lists some lamps.',
      input: z.object({ limit: z.int().default(2), offset: z.int().default(0) }),
      output: z.array(z.string()),
      run: ({ names }, { input: { limit, offset } }) => names.slice(offset, offset + limit),
    }),
  }),
  commands: (command) => ({
    list: command({
      summary: 'Lists all lamps.',
      run: async function* ({ endpoints }) {
        for (let offset = 0; ; offset += 2) {
          const names = await endpoints.list({ offset })
          yield { lines: names.map((name) => [name, 'lamp']), widths: [6], result: names }
          if (names.length < 2) return
        }
      },
    }),
    compare: command({
      summary: 'Compares lamps.',
      input: z.object({ names: z.array(z.string()), limit: z.int().max(5).default(1) }),
      arguments: ['names'],
      flags: { limit: '-l, --limit <n>' },
      run: async function* ({ input: { names, limit } }) {
        yield { text: `+ ${names.join(' ')}\n  \u001b[31mred\u202e`, message: `limit ${limit}` }
        yield { isFailure: names.length > limit }
      },
    }),
  }),
})

async function run(...args: readonly string[]) {
  const printed = { out: '', err: '', code: exitCodes.done as number }
  const shell: Shell = {
    env: {},
    out: (text) => void (printed.out += forTerminal(text)),
    err: (text) => void (printed.err += text),
    isTerminal: false,
    columns: () => 80,
    paint: { out: plain, err: plain },
    stdin: () => new Uint8Array(),
    isInteractive: false,
    lines: async function* () {},
    plugins: [definePlugin({ name: 'lamps', features: [lamps] })],
  }
  const guarded = async (work: () => Promise<number>) => {
    printed.code = await work().catch((error: unknown) => report(error, shell))
  }
  const program = new Command()
  addFeature(lamps, 'Lamps.', { program, shell, guarded })
  await program.parseAsync(['lamps', ...args, '--store', 'memory:'], { from: 'user' })
  return printed
}

test('a command of a feature replaces that of its endpoint, and prints what it yields in columns or as JSON', async () => {
  expect(await run('list')).toEqual({ out: 'one     lamp\ntwo     lamp\nthree   lamp\n', err: '', code: 0 })
  expect((await run('list', '--json')).out).toBe('"one"\n"two"\n"three"\n')
  for (const _ of ['made', 'replaced']) {
    expect((await run('list', '--output', file)).out).toBe('')
    expect(readFileSync(file, 'utf8')).toBe('"one"\n"two"\n"three"\n')
  }
})

test('a command of a feature takes lists and flags, prints no control characters to a terminal, and can fail', async () => {
  expect(await run('compare', 'one')).toEqual({ out: '+ one\n  [31mred\n', err: 'limit 1\n', code: 0 })
  expect(await run('compare', 'one', 'two', '-l', '2')).toMatchObject({
    out: expect.stringContaining('one two'),
    code: 0,
  })
  expect((await run('compare', 'one', 'two')).code).toBe(exitCodes.fault)
  const refused = await run('compare', 'one', '-l', '9')
  expect(refused).toMatchObject({ out: '', err: expect.stringContaining('limit must be at most 5'), code: 2 })
})
