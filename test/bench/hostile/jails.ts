// What code in a jail can take of a machine: node test/bench/hostile/jails.ts [folder of another build of the sandbox]
// For each way past the bound: the most memory that the machine had less while it was tried (of the kernel and of TCP too), what
// was left of that afterwards, and how it ended. All of it runs in a control group of its own, so that no more than 3 GB can
// be taken of the machine. It needs the right to make control groups.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

import type { Code, CodeLanguage, Jail } from '@harvestman/ports'
import type * as Sandboxes from '@harvestman/sandbox'

import { openControlGroups } from '../../../packages/toolbox/src/control-groups/groups.ts'
import { findPlaces } from '../../../packages/toolbox/src/control-groups/places.ts'
import { attacks } from '../../../packages/sandbox/test/attacks.ts'

const { positionals } = parseArgs({ allowPositionals: true })
const folder = resolve(positionals[0] ?? 'packages/sandbox')
const only = positionals[1]
const { localSandbox } = (await import(join(folder, 'src/index.ts'))) as typeof Sandboxes

const group = openControlGroups(['memory']).make({ memory: 3_200_000_000, processes: 2_000, processors: 2 })
group.add(process.pid)
const here = findPlaces()('memory')?.folder ?? ''
const figures = ['memory.usage_in_bytes', 'memory.kmem.tcp.usage_in_bytes', 'memory.current']

function used(): number {
  return figures.reduce((sum, name) => sum + Number(read(name) ?? 0), 0) / 1e6
}

function read(name: string): string | undefined {
  try {
    return readFileSync(join(here, name), 'utf8')
  } catch {
    return undefined
  }
}

/** Files that were read stay in memory until it is needed; they are let go first. */
function settle(): void {
  for (const name of ['memory.force_empty', 'memory.reclaim']) {
    try {
      writeFileSync(join(here, name), '1G', { flag: 'r+' })
    } catch {
      // There is one of them, and it need not find anything.
    }
  }
}

const noBrowser = async (): Promise<never> => {
  throw new Error('There is no browser here.')
}
const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms))
const sandbox = localSandbox()

async function tried(name: string, language: CodeLanguage, text: string, timeout = 25_000): Promise<void> {
  const jail: Jail = await sandbox.open({ connect: noBrowser }, AbortSignal.timeout(60_000))
  const run = (code: Code) =>
    jail
      .run(code, AbortSignal.timeout(90_000))
      .catch((error: unknown) => ({ error: String(error), stdout: '', result: '' }))
  await run({ language, text: language === 'bash' ? ':' : '1', timeout })
  settle()
  const before = used()
  let most = before
  const sampler = setInterval(() => (most = Math.max(most, used())), 10)
  const { error, stdout, result } = await run({ language, text, timeout })
  clearInterval(sampler)
  await jail.close()
  await sleep(500)
  settle()
  const had = /TOOK/.test(stdout)
  const outcome = had
    ? 'it had all it wanted'
    : (error ?? `a result of ${result?.length ?? 0} characters`).split('\n')[0]
  const left = Math.max(0, used() - before)
  console.log(`| ${name} | ${Math.round(most - before)} MB | ${Math.round(left)} MB | ${outcome} |`)
}

const results: readonly (readonly [name: string, language: CodeLanguage, code: string])[] = [
  ['a text of 40 MB (node)', 'node', `'x'.repeat(40e6)`],
  ['5 million objects (node)', 'node', 'Array.from({ length: 5e6 }, (_, n) => ({ n }))'],
  ['a buffer of 40 MB (node)', 'node', 'Buffer.alloc(40e6)'],
  ['a text of 40 MB (python)', 'python', `"x" * 40_000_000`],
  ['5 million objects (python)', 'python', '[{"n": n} for n in range(5_000_000)]'],
]

console.log('| what code does | memory gone | left after it | how it ended |\n| --- | --- | --- | --- |')
for (const { name, language, code, timeout } of attacks)
  if (!only || name.includes(only)) await tried(name, language, code(2_200_000_000), timeout)
for (const [name, language, code] of results) if (!only || name.includes(only)) await tried(name, language, code)
await sandbox.close()
// Out of the group again, which can be removed then.
const folders = ['memory', 'pids', 'cpu'].map((name) => findPlaces()(name)?.folder)
for (const one of new Set(folders)) if (one) writeFileSync(join(one, '../cgroup.procs'), String(process.pid))
await group.remove()
