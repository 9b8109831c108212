// Prints what a start costs: processor time and memory of a process that imports core, tells its version, opens an engine or serves
// and waits. Run it with `node test/bench/start.ts [runs] [folder …]`; each folder has packed packages installed, of one state of this
// tree, to be measured beside the sources. Rows take turns, so that a busy machine is busy for all of them: read the last column.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const [runs = '7', ...installed] = process.argv.slice(2)

interface Cost {
  /** User and system time since the process began, in milliseconds. */
  readonly cpu: number
  readonly megabytes: number
}

interface Row {
  readonly name: string
  readonly program: readonly string[]
  readonly cwd: string
  /** Keeps what Node makes of the sources for the next start. */
  readonly keepsCompiled: boolean
}

// A server is looked at when it listens, and asked for its memory when it has waited; others when they end.
const probe = `
  import { writeSync } from 'node:fs'
  const cpu = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000 }
  const tell = (spent) => writeSync(3, JSON.stringify({ cpu: spent, megabytes: process.memoryUsage.rss() / 1e6 }))
  const write = process.stderr.write
  let listens
  process.stderr.write = function (text, ...rest) {
    if (listens === undefined && String(text).includes(' listens on ')) {
      listens = cpu()
      setTimeout(() => process.kill(process.pid, 'SIGTERM'), 2000)
      process.once('SIGTERM', () => tell(listens))
    }
    return write.call(this, text, ...rest)
  }
  process.once('exit', () => listens === undefined && tell(cpu()))`

function rowsOf(where: string, cwd: string, command: string): readonly Row[] {
  const text = (program: string): readonly string[] => ['--input-type=module', '--eval', program]
  const row = (name: string, program: readonly string[]): readonly Row[] => [
    { name: `${where}: ${name}`, program, cwd, keepsCompiled: false },
    { name: `${where}: ${name}, again`, program, cwd, keepsCompiled: true },
  ]
  return [
    ...row('import core', text("await import('@harvestman/core')")),
    ...row('import core and zod', text("await import('@harvestman/core'); await import('zod')")),
    ...row('--version', [command, '--version']),
    ...row('--help', [command, '--help']),
    ...row('idle server', [command, 'serve', '--port', '0', '--store', 'memory:']),
  ]
}

const home = mkdtempSync(join(tmpdir(), 'harvestman-start-'))

async function measure({ name, program, cwd, keepsCompiled }: Row): Promise<Cost> {
  const { NODE_COMPILE_CACHE: _, ...env } = process.env
  const cached = keepsCompiled
    ? // A folder each: the command runs with flags that make what another program keeps useless to it, and the other way round.
      { NODE_COMPILE_CACHE: join(home, 'compiled', name.replaceAll(/\W+/g, '-')) }
    : { NODE_DISABLE_COMPILE_CACHE: '1', NODE_COMPILE_CACHE: '' }
  const hooks = [
    '--disable-warning=ExperimentalWarning',
    '--import',
    `data:text/javascript,${encodeURIComponent(probe)}`,
  ]
  const child = spawn(process.execPath, [...hooks, ...program], {
    cwd,
    env: { ...env, ...cached, HOME: home },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  let said = ''
  for await (const part of child.stdio[3] as AsyncIterable<Buffer>) said += part.toString()
  return JSON.parse(said) as Cost
}

const bare: Row = { name: 'bare Node', program: ['--eval', '0'], cwd: root, keepsCompiled: false }
const rows = [
  bare,
  ...rowsOf('sources', join(root, 'test'), join(root, 'packages/cli/src/main.ts')),
  ...installed.flatMap((folder, index) => {
    const command = join(resolve(folder), 'node_modules/@harvestman/cli/dist/main.js')
    return rowsOf(installed.length > 1 ? `packed ${index + 1}` : 'packed', resolve(folder), command)
  }),
]
const costs = new Map<Row, Cost[]>(rows.map((row) => [row, []]))
try {
  // The first round warms what is kept, and does not count.
  for (let round = 0; round <= Number(runs); round += 1)
    for (const row of rows) {
      const cost = await measure(row)
      if (round > 0) costs.get(row)?.push(cost)
    }
} finally {
  rmSync(home, { recursive: true, force: true })
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? Number.NaN
const cpuOf = (row: Row): number => median((costs.get(row) ?? []).map(({ cpu }) => cpu))

console.log('| | CPU ms | RSS MB | CPU × bare Node |\n| --- | --- | --- | --- |')
for (const row of rows) {
  const megabytes = median((costs.get(row) ?? []).map((cost) => cost.megabytes))
  console.log(
    `| ${row.name} | ${cpuOf(row).toFixed(0)} | ${megabytes.toFixed(0)} | ${(cpuOf(row) / cpuOf(bare)).toFixed(1)} |`,
  )
}
