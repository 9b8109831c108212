// What a simulation has shown, as tables.
import type { ClusterFigures } from './cluster.ts'
import type { RunResult } from './one-run.ts'

type Column = readonly [name: string, of: (run: RunResult, calm: RunResult | undefined) => string]

const faultsOf: Column = [
  'Faults',
  ({ plan: { faults } }) => (faults.length > 1 ? 'all of these' : (faults[0] ?? 'none')),
]

export function printReport(runs: readonly RunResult[]): void {
  const [first] = runs
  if (!first) return
  const { reachable, sites, largest, plan } = first
  console.log(
    `${plan.workers} workers, ${reachable} pages on ${plan.hosts} hosts of ${sites} sites, the largest host has ${largest}; costs of ${plan.costs}.`,
  )
  print(runs, [
    faultsOf,
    [
      'Seconds until nine of ten pages, until all',
      ({ figures }) => `${figures.mostlyDone.toFixed(0)}, ${figures.seconds.toFixed(0)}`,
    ],
    ['Lost to them', (run, calm) => (calm && calm !== run ? lost(run.figures, calm.figures) : '')],
    ['Killed, restarted, cut off', ({ figures: { kills, outages, cuts } }) => `${kills}, ${outages}, ${cuts}`],
    ['Pages loaded once more', ({ figures: { again } }) => `${again}`],
    ['Jobs that stood still, how long each', ({ figures }) => standstills(figures)],
    ['Pages in the logs, twice, failed', (run) => inLogs(run)],
  ])
  print(runs, [
    faultsOf,
    ['Pages a second, until nine of ten', ({ figures }) => perSecond(figures).toFixed(0)],
    ['Store: calls a second, keys a second, calls a page', ({ figures }) => calls(figures)],
    ['Bytes a page', ({ figures: { bytes, pages } }) => (bytes / pages).toFixed(0)],
    ['Busy: store, cores, the busiest of them, places', ({ figures }) => shares(figures)],
    ['Fullest', ({ figures }) => fullest(figures)],
    ['Addresses that waited, in memory', ({ figures }) => `${figures.mostKnown}, ${figures.mostWaiting}`],
    ['MB of a worker', ({ plan, memory }) => ((memory.most - memory.before) / 1e6 / plan.workers).toFixed(1)],
    ['Took, s, MB', ({ took, memory }) => `${took.toFixed(0)}, ${(memory.resident / 1e6).toFixed(0)}`],
  ])
  printUses(first)
}

/** What the store was asked for: a value that grows with what goes on at once is seen here first. */
function printUses({ plan, figures: { uses, pages } }: RunResult): void {
  const faults = plan.faults.length > 0 ? `with ${plan.faults.join(', ')}` : 'without faults'
  console.log(`\nThe store, ${faults}:\n\n| Keys | Calls a page | Bytes a page | Most bytes of a call | Written anew |`)
  console.log('| --- | --- | --- | --- | --- |')
  for (const { kind, calls, bytes, mostBytes, again } of uses) {
    const ofPage = [(calls / pages).toFixed(2), (bytes / pages).toFixed(0)]
    if (bytes / pages >= 1) console.log(`| ${[kind, ...ofPage, mostBytes, again].join(' | ')} |`)
  }
}

function print(runs: readonly RunResult[], columns: readonly Column[]): void {
  const calm = runs.find(({ plan }) => plan.faults.length === 0)
  console.log(`\n| ${columns.map(([name]) => name).join(' | ')} |\n|${' --- |'.repeat(columns.length)}`)
  for (const run of runs) console.log(`| ${columns.map(([, of]) => of(run, calm)).join(' | ')} |`)
}

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`

function lost(figures: ClusterFigures, calm: ClusterFigures): string {
  const share = (one: number, other: number): string => `${(one - other).toFixed(0)} s (${percent(one / other - 1)})`
  return `${share(figures.mostlyDone, calm.mostlyDone)}, ${share(figures.seconds, calm.seconds)}`
}

function standstills({ standstills, stood }: ClusterFigures): string {
  return standstills === 0 ? '0' : `${standstills}, ${(stood / standstills).toFixed(1)} s`
}

function perSecond({ pages, mostlyDone }: ClusterFigures): number {
  return (pages * 0.9) / mostlyDone
}

function calls({ calls, keys, pages, seconds }: ClusterFigures): string {
  return `${(calls / seconds).toFixed(0)}, ${(keys / seconds).toFixed(0)}, ${(calls / pages).toFixed(1)}`
}

function shares({ storeBusy, coresBusy, busiestCore, slotsBusy }: ClusterFigures): string {
  return [storeBusy, coresBusy, busiestCore, slotsBusy].map(percent).join(', ')
}

function fullest({ storeBusy, coresBusy, busiestCore, slotsBusy }: ClusterFigures): string {
  const all = {
    'the server of the store': storeBusy,
    'the cores of the workers': coresBusy,
    'the core of one worker': busiestCore,
    'places for pages': slotsBusy,
  }
  const [[name, share] = ['', 0]] = Object.entries(all).toSorted(([, one], [, other]) => other - one)
  return share > 0.8 ? name : 'nothing: hosts are waited for'
}

function inLogs({ plan, figures: { logs } }: RunResult): string {
  return plan.isChecked ? `${logs.pages}, ${logs.twice}, ${logs.failed}` : 'not read'
}
