// Scripts on MiniWoB++: each task is done once by one who knows it, recorded, and then run with the parameters of other
// episodes, on the page as it is and on pages that have changed. Real Chromium.
//   node test/bench/scripts/miniwob.ts <folder of MiniWoB++> [seeds] [task]
import { createEngine, EngineError } from '@harvestman/core'
import { live, type LiveSession } from '@harvestman/live'
import { pageOf, puppeteerBrowser, puppeteerSessions, type LivePage } from '@harvestman/puppeteer'
import { scripts, type Script } from '@harvestman/scripts'

import { serveMiniWob } from './site.ts'
import { notScriptable, tasks, type Given, type Task } from './tasks.ts'

const [folder, seedsText = '10', only] = process.argv.slice(2)
if (folder === undefined) throw new Error('Give the folder of MiniWoB++.')
const seeds = Number(seedsText)
const patience = Number(process.env['PATIENCE'] ?? 2_000)

interface Tally {
  success: number
  wrong: number
  stopped: number
  repaired: number
  readonly reasons: Map<string, number>
}

const kinds = ['same', 'changed', 'reworded'] as const

const tally = (): Tally => ({ success: 0, wrong: 0, stopped: 0, repaired: 0, reasons: new Map() })

const site = await serveMiniWob(folder)
const engine = createEngine({
  allowPrivate: ['127.0.0.0/8'],
  browser: puppeteerBrowser(),
  plugins: [live({ sessions: puppeteerSessions({ nice: 0 }) }), scripts()],
})

const addressOf = (task: Task, seed: string, drift: string): string =>
  `${site.origin}/miniwob/${task.page ?? task.name}.html?seed=${seed}&drift=${drift}`

const read = <T>(page: LivePage, expression: string): Promise<T> => page.evaluate(expression) as Promise<T>

/** The parameters of an episode: those in its words, and what a caller works out from the page of the riddle. */
async function episode(page: LivePage, task: Task, seed: string, drift: string): Promise<Given | undefined> {
  await page.goto(addressOf(task, seed, drift))
  const words = await read<string>(page, `globalThis.benchWords ?? ''`)
  const given = task.given(words.replaceAll(/\s+/g, ' '))
  if (task.name !== 'simple-algebra') return given
  const riddle = await read<string>(
    page,
    `/[x\\d]+ [+-] [x\\d]+ = \\d+/.exec(document.querySelector('#area').innerText)?.[0] ?? ''`,
  )
  const [left = '', right = ''] = riddle.split('=').map((one) => one.trim())
  for (let x = -200; x < 300; x += 1) {
    const [a = '', sign = '', b = ''] = left.split(' ').map((one) => (one === 'x' ? String(x) : one))
    if (Number(a) + (sign === '+' ? 1 : -1) * Number(b) === Number(right)) return { answer: String(x) }
  }
  return undefined
}

interface Reward {
  readonly isDone: boolean
  readonly reward: number
}

const rewardOf = (page: LivePage): Promise<Reward> =>
  read(page, '({ isDone: WOB_DONE_GLOBAL, reward: WOB_RAW_REWARD_GLOBAL })')

/** Does a task by hand on its page, and says whether the page took it. */
async function byHand(page: LivePage, task: Task, given: Given): Promise<boolean> {
  const text = (name: string): string => String(given[name] ?? '')
  const list = (name: string): readonly string[] => [given[name] ?? []].flat()
  await task.teach(page, text, list)
  const { isDone, reward } = await rewardOf(page)
  return isDone && reward === 1
}

async function learn(session: LiveSession, page: LivePage, task: Task): Promise<Script | undefined> {
  for (let count = 0; count < 60; count += 1) {
    const seed = `taught${count}x`
    const given = await episode(page, task, seed, 'none')
    const values = Object.values(given ?? {})
    // What is shown once should show what varies: a list of several, texts that differ.
    const isTelling = given && values.every((one) => (Array.isArray(one) ? one.length > 1 : one !== ''))
    const isLoop = task.name !== 'choose-date-medium' || /^(?:September|October)$/.test(String(given?.['month']))
    if (!isTelling || !isLoop) continue
    await engine.scripts.record({ session: session.id })
    if (!(await byHand(page, task, given))) continue
    const parameters = { ...given, seed, drift: 'none' }
    const { script } = await engine.scripts.save({
      name: nameOf(task),
      session: session.id,
      parameters: JSON.parse(JSON.stringify(parameters)) as Record<string, string | string[]>,
    })
    return script
  }
  return undefined
}

const nameOf = ({ name }: Task): string => name.replaceAll(/[^a-z0-9]+/g, '-')

async function run(session: LiveSession, page: LivePage, task: Task, seed: string, drift: string, into: Tally) {
  const given = await episode(page, task, seed, drift)
  if (!given) return false
  try {
    const parameters = JSON.parse(JSON.stringify({ ...given, seed, drift })) as Record<string, string | string[]>
    const { repairs } = await engine.scripts.run(nameOf(task), { session: session.id, parameters, patience })
    const { isDone, reward } = await rewardOf(page)
    if (isDone && reward === 1) into.success += 1
    else into.wrong += 1
    if (!isDone || reward !== 1)
      console.log(`    WRONG ${task.name} seed ${seed} drift ${drift}: ${JSON.stringify(given)}`)
    if (repairs.length > 0) into.repaired += 1
  } catch (error) {
    if (!EngineError.is(error)) throw error
    into.stopped += 1
    const { step, reason: why } = error.details
    const reason = `${typeof step === 'number' ? step : ''} ${typeof why === 'string' ? why : error.code}`
    into.reasons.set(reason, (into.reasons.get(reason) ?? 0) + 1)
    if (process.env['VERBOSE'] !== undefined)
      console.log(
        `    ${seed} ${drift} ${JSON.stringify(given)}: ${error.message} ${JSON.stringify(error.details['seen'] ?? '')}`,
      )
  }
  return true
}

/** Whether one who knows the page could still do the task on it: some changes break what the page itself looks for. */
async function isWhole(page: LivePage, task: Task, seed: string, drift: string): Promise<boolean> {
  await page.goto(addressOf(task, seed, drift))
  return read<boolean>(page, `typeof benchWords === 'string'`).catch(() => false)
}

async function measure(task: Task) {
  const session = await engine.live.open({ ttl: 3_600, activityTtl: 3_600 })
  await using page = await pageOf(session)
  page.setDefaultTimeout(10_000)
  const results = { same: tally(), changed: tally(), reworded: tally(), left: 0 }
  try {
    const script = await learn(session, page, task)
    if (!script) return { ...results, isTaught: false }
    if (process.env['SHOW'] !== undefined) console.log(JSON.stringify(script, null, 1))
    for (const kind of kinds) {
      if (kind === 'reworded' && !JSON.stringify(script).includes('"Submit"')) continue
      for (let count = 0, done = 0; done < seeds && count < seeds * 8; count += 1) {
        const drift = { same: 'none', changed: `d${count}`, reworded: `words${count}` }[kind]
        if (kind === 'changed' && !(await isWhole(page, task, `run${count}x`, drift))) {
          results.left += 1
          continue
        }
        if (await run(session, page, task, `run${count}x`, drift, results[kind])) done += 1
      }
    }
    return { ...results, isTaught: true }
  } finally {
    await session.stop()
  }
}

const shown = ({ success, wrong, stopped, repaired, reasons }: Tally): string => {
  const why = [...reasons].map(([reason, count]) => `${count} × ${reason}`).join(', ')
  return `${success} success, ${wrong} wrong, ${stopped} stopped${repaired > 0 ? `, ${repaired} repaired` : ''}${why === '' ? '' : ` (${why})`}`
}

const totals = { same: tally(), changed: tally(), reworded: tally() }
const add = (to: Tally, { success, wrong, stopped, repaired }: Tally): void => {
  to.success += success
  to.wrong += wrong
  to.stopped += stopped
  to.repaired += repaired
}

for (const task of tasks.filter(({ name }) => only === undefined || name.startsWith(only))) {
  const { same, changed, reworded, left, isTaught } = await measure(task).catch((error: unknown) => {
    console.log(`${task.name}: ${String(error)}`)
    return { same: tally(), changed: tally(), reworded: tally(), left: 0, isTaught: false }
  })
  add(totals.same, same)
  add(totals.changed, changed)
  add(totals.reworded, reworded)
  if (!isTaught) console.log(`${task.name}: could not be taught`)
  else
    console.log(
      `${task.name}\n  as it was: ${shown(same)}\n  changed:   ${shown(changed)}${left > 0 ? `, ${left} pages broken by the change itself` : ''}\n  reworded:  ${shown(reworded)}`,
    )
}
const rate = ({ success, wrong, stopped }: Tally): string =>
  `${((100 * success) / Math.max(1, success + wrong + stopped)).toFixed(1)} %`
console.log(
  `\nall: as it was ${rate(totals.same)} (${shown(totals.same)}); changed ${rate(totals.changed)} (${shown(totals.changed)}); reworded ${rate(totals.reworded)} (${shown(totals.reworded)})`,
)
console.log('\nNot scriptable:')
for (const [names, why] of Object.entries(notScriptable)) console.log(`  ${names}: ${why}.`)
await engine.close()
await site.close()
