// Scripts on MiniWoB++: each task is done once by one who knows it, recorded, and then run with the parameters of other
// episodes, on the page as it is and on pages that have changed. Real Chromium.
//   node test/bench/scripts/miniwob.ts <folder of MiniWoB++> [seeds] [task,…]
import { createEngine, EngineError } from '@harvestman/core'
import { live, type LiveSession } from '@harvestman/live'
import { pageOf, puppeteerBrowser, puppeteerSessions, type LivePage } from '@harvestman/puppeteer'
import { scripts, type Script } from '@harvestman/live/scripts'

import { serveMiniWob } from './site.ts'
import { notScriptable, riddles } from './riddles.ts'
import { tasks, type Given, type Task } from './tasks.ts'

const [folder, seedsText = '10', only] = process.argv.slice(2)
if (folder === undefined) throw new Error('Give the folder of MiniWoB++.')
const seeds = Number(seedsText)
/** Milliseconds that a run waits for an element or an outcome. */
const stepTimeout = 15_000
/** Milliseconds that one run may take. A busy machine is not a script that fails. */
const longestRun = 240_000
/** Milliseconds that a task may take with all of its runs. What is not done by then counts as stopped. */
const longestTask = 600_000
/** Tasks at a time: runs mostly wait. */
const lanes = 2
/** `VERBOSE=1` prints what each run that stopped has seen, and scripts as they were recorded. */
const isVerbose = process.env['VERBOSE'] !== undefined

type Parameters = Readonly<Record<string, string | string[]>>

interface Tally {
  success: number
  wrong: number
  stopped: number
  repaired: number
  readonly reasons: Map<string, number>
}

/** The page as it was recorded; with other classes, order and wrappers; and with another word on its button. */
const kinds = ['same', 'changed', 'reworded'] as const
type Kind = (typeof kinds)[number]

const tally = (): Tally => ({ success: 0, wrong: 0, stopped: 0, repaired: 0, reasons: new Map() })
const tallies = (): Record<Kind, Tally> => ({ same: tally(), changed: tally(), reworded: tally() })

const site = await serveMiniWob(folder)
const engine = createEngine({
  allowPrivate: ['127.0.0.0/8'],
  browser: puppeteerBrowser(),
  plugins: [live({ sessions: puppeteerSessions({ nice: 0 }) }), scripts()],
})

interface Episode {
  readonly seed: string
  readonly drift: string
}

const addressOf = (task: Task, { seed, drift }: Episode): string =>
  `${site.origin}/miniwob/${task.page ?? task.name}.html?${new URLSearchParams({ seed, drift }).toString()}`

const read = <T>(page: LivePage, expression: string): Promise<T> => page.evaluate(expression) as Promise<T>

/** The parameters of an episode: those in its words, and what a caller works out from the page or finds by trying. `broken` is a page that does not work by itself. */
async function given(page: LivePage, task: Task, episode: Episode): Promise<Given | 'broken' | undefined> {
  await page.goto(addressOf(task, episode))
  const words = (await read<string>(page, `globalThis.benchWords ?? ''`)).replaceAll(/\s+/g, ' ')
  // Some changes take away what the page itself looks for.
  if (words === '') return 'broken'
  const fields = await read<Record<string, string>>(page, `globalThis.benchFields ?? {}`)
  if (!task.reads && !task.tries) return task.given(words, fields)
  // The same seed asks the same, and who works it out knows the page as it was.
  const known = addressOf(task, { ...episode, drift: 'none' })
  await page.goto(known)
  if (task.reads) return (await read<Given | null>(page, task.reads(words)).catch(() => undefined)) ?? undefined
  for (const one of task.tries ?? []) {
    await page.goto(known)
    if (await byHand(page, task, one).catch(() => false)) return one
  }
  return undefined
}

interface Reward {
  readonly isDone: boolean
  readonly reward: number
}

async function isRight(page: LivePage): Promise<boolean> {
  const { isDone, reward } = await read<Reward>(page, '({ isDone: WOB_DONE_GLOBAL, reward: WOB_RAW_REWARD_GLOBAL })')
  // Some tasks add up parts of 1.
  return isDone && reward > 0.999
}

/** Does a task by hand on its page, and says whether the page took it. */
async function byHand(page: LivePage, task: Task, values: Given): Promise<boolean> {
  const text = (name: string): string => String(values[name] ?? '')
  const list = (name: string): readonly string[] => [values[name] ?? []].flat()
  await task.teach(page, text, list)
  return isRight(page)
}

const nameOf = ({ name }: Task): string => name.replaceAll(/[^a-z0-9]+/g, '-')
const parametersOf = (values: Given, episode: Episode): Parameters =>
  Object.fromEntries(
    Object.entries({ ...values, ...episode }).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : [...value],
    ]),
  )

/** What is shown once should show what varies: a list of several, texts that are not empty. */
const isTelling = (values: Given): boolean =>
  Object.values(values).every((one) => (typeof one === 'string' ? one !== '' : one.length > 1))

async function learn(session: LiveSession, page: LivePage, task: Task): Promise<Script | undefined> {
  for (let count = 0; count < 60; count += 1) {
    const episode = { seed: `taught${count}x`, drift: 'none' }
    const values = await given(page, task, episode)
    if (!values || values === 'broken' || !(task.tells ?? isTelling)(values)) continue
    if (task.tries) await page.goto(addressOf(task, episode))
    await engine.scripts.record({ session: session.id })
    const isDone = await byHand(page, task, values).catch((error: unknown) => {
      if (isVerbose) console.log(`    ${task.name}: ${String(error)}`)
      return false
    })
    if (!isDone) continue
    const parameters = parametersOf(values, episode)
    return (await engine.scripts.save({ name: nameOf(task), session: session.id, parameters })).script
  }
  return undefined
}

function noteStop(into: Tally, error: EngineError): void {
  into.stopped += 1
  const { step, reason: why } = error.details
  const reason = `${typeof why === 'string' ? why : error.code}${typeof step === 'number' ? ` at ${step}` : ''}`
  into.reasons.set(reason, (into.reasons.get(reason) ?? 0) + 1)
}

async function run(session: LiveSession, page: LivePage, task: Task, episode: Episode, into: Tally) {
  const values = await given(page, task, episode)
  if (!values) return 'left'
  if (values === 'broken') return values
  const told = `    ${task.name} ${episode.seed} ${episode.drift} ${JSON.stringify(values)}`
  try {
    const parameters = parametersOf(values, episode)
    const { repairs } = await engine.scripts.run(nameOf(task), {
      session: session.id,
      parameters,
      stepTimeout,
      timeout: longestRun,
    })
    const isGood = await isRight(page)
    if (isGood) into.success += 1
    else into.wrong += 1
    if (!isGood) console.log(`${told}: WRONG`)
    if (repairs.length > 0) into.repaired += 1
  } catch (error) {
    if (!EngineError.is(error)) throw error
    noteStop(into, error)
    if (isVerbose) console.log(`${told}: ${error.message} ${JSON.stringify(error.details['seen'] ?? '')}`)
  }
  return 'run'
}

const driftOf = (kind: Kind, count: number): string =>
  ({ same: 'none', changed: `d${count}`, reworded: `words${count}` })[kind]

async function runAll(session: LiveSession, page: LivePage, task: Task, script: Script, results: Row): Promise<void> {
  const end = performance.now() + longestTask
  for (const kind of kinds) {
    if (kind === 'reworded' && !JSON.stringify(script).includes('"Submit"')) continue
    const most = kind === 'reworded' ? Math.ceil(seeds / 2) : seeds
    for (let count = 0, done = 0; done < most && count < seeds * 8; count += 1) {
      const episode = { seed: `run${count}x`, drift: driftOf(kind, count) }
      const isLate = performance.now() > end
      if (isLate) noteStop(results[kind], new EngineError('timeout', 'The task took too long.'))
      const came = isLate ? 'run' : await run(session, page, task, episode, results[kind])
      if (came === 'broken') results.broken += 1
      if (came === 'run') done += 1
    }
  }
}

interface Row extends Record<Kind, Tally> {
  readonly name: string
  isTaught: boolean
  /** Changed pages that did not work any more by themselves. */
  broken: number
}

async function measure(task: Task): Promise<Row> {
  const row: Row = { ...tallies(), name: task.name, isTaught: false, broken: 0 }
  const session = await engine.live.open({ ttl: 3_600, activityTtl: 3_600 })
  try {
    await using page = await pageOf(session)
    page.setDefaultTimeout(60_000)
    const script = await learn(session, page, task)
    row.isTaught = script !== undefined
    if (script && isVerbose) console.log(JSON.stringify(script, null, 1))
    if (script) await runAll(session, page, task, script, row)
  } catch (error) {
    console.log(`    ${task.name}: ${String(error)}`)
  } finally {
    await session.stop()
  }
  return row
}

const countOf = ({ success, wrong, stopped }: Tally): number => success + wrong + stopped
const shown = (one: Tally): string => (countOf(one) === 0 ? '-' : `${one.success}/${countOf(one)}`)
const line = (cells: readonly string[]): void =>
  console.log(cells.map((cell, index) => (index === 0 ? cell.padEnd(28) : cell.padStart(10))).join(''))

function print({ name, isTaught, broken, ...row }: Row): void {
  const all = kinds.map((kind) => row[kind])
  const total = (key: 'wrong' | 'repaired'): string => String(all.reduce((sum, one) => sum + one[key], 0))
  const why = kinds.flatMap((kind) => [...row[kind].reasons].map(([reason, count]) => `${kind}: ${count} × ${reason}`))
  const notes = [...(broken > 0 ? [`${broken} changed pages did not work by themselves`] : []), ...why].join(', ')
  line([name, isTaught ? 'yes' : 'no', ...all.map(shown), total('wrong'), total('repaired'), `  ${notes}`])
}

line(['task', 'taught', 'same', 'changed', 'reworded', 'wrong', 'repaired'])
const rows: Row[] = []
const waiting = [...tasks, ...riddles].filter(
  ({ name }) => only === undefined || only.split(',').some((one) => name.startsWith(one)),
)
const lane = async (): Promise<void> => {
  for (let task = waiting.shift(); task; task = waiting.shift()) {
    const row = await measure(task)
    rows.push(row)
    print(row)
  }
}
await Promise.all(Array.from({ length: lanes }, lane))

const sumOf = (kind: Kind) => (key: 'success' | 'wrong' | 'stopped') =>
  rows.reduce((sum, row) => sum + row[kind][key], 0)
for (const kind of kinds) {
  const sum = sumOf(kind)
  const all = sum('success') + sum('wrong') + sum('stopped')
  const rate = ((100 * sum('success')) / Math.max(1, all)).toFixed(1)
  console.log(`${kind}: ${rate} % of ${all} (${sum('wrong')} wrong, ${sum('stopped')} stopped)`)
}
console.log(`${rows.filter(({ isTaught }) => isTaught).length} of ${rows.length} tasks were taught.`)
console.log('\nNot scriptable:')
for (const [names, why] of Object.entries(notScriptable)) console.log(`  ${names}: ${why}.`)
await engine.close()
await site.close()
