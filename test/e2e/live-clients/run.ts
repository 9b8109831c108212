import { createEngine } from '@harvestman/core'
import { createApi, serve } from '@harvestman/http'
import { live } from '@harvestman/live'
import { puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'
import { localSandbox } from '@harvestman/sandbox'
import { chromium } from 'playwright-core'
import puppeteer from 'puppeteer-core'

import { plainBrowser } from '../../plain-browser.ts'
import { serveSite } from './site.ts'
import { tasks, type Task } from './tasks.ts'

/** How a client did with a task: what it returned or the message of its error, and the milliseconds. */
export interface Cell {
  readonly outcome: 'works' | 'refused' | 'fails'
  readonly said: string
  readonly ms: number
}

/** The clients: over `cdpUrl`, and the languages of code. */
export const clients = ['puppeteer', 'playwright', 'node', 'python', 'bash'] as const

export type ClientName = (typeof clients)[number]

export interface Row {
  readonly task: string
  readonly cells: Readonly<Record<ClientName, Cell>>
  /** Milliseconds of plain Puppeteer with its own browser. */
  readonly plain: number
}

type Carry = (task: Task) => Promise<string>

/** Carries out each task with each client on a server. Each begins by opening the page. */
export async function runTasks(): Promise<readonly Row[]> {
  const site = await serveSite()
  const engine = createEngine({
    allowPrivate: ['127.0.0.0/8'],
    browser: puppeteerBrowser(),
    plugins: [live({ sessions: puppeteerSessions(), sandbox: localSandbox({ bound: 'watched' }) })],
  })
  const api = await serve(createApi(engine), { port: 0 })
  const closing: (() => Promise<unknown>)[] = []
  const home = `${site.origin}/`
  try {
    const carry = await openClients(api.url, home, closing)
    const plain = await openPlain(home, closing)
    const rows: Row[] = []
    for (const task of tasks) {
      const cells: Partial<Record<ClientName, Cell>> = {}
      for (const name of clients) cells[name] = await measure(carry[name], task, refusalOf(task, name))
      const { ms } = await measure(plain, task, undefined)
      rows.push({ task: task.name, cells: cells as Row['cells'], plain: ms })
    }
    return rows
  } finally {
    for (const close of closing) await close().catch(() => undefined)
    await api.close()
    await engine.close()
    site.close()
  }
}

const refusalOf = ({ refused }: Task, name: ClientName): RegExp | undefined =>
  name === 'puppeteer' ? refused?.puppeteer : undefined

async function measure(carry: Carry, task: Task, refusal: RegExp | undefined): Promise<Cell> {
  const start = performance.now()
  const end = (outcome: Cell['outcome'], said: string): Cell => ({ outcome, said, ms: performance.now() - start })
  try {
    const said = await carry(task)
    return end(said === task.result ? 'works' : 'fails', said)
  } catch (error) {
    const said = String(error)
    return end(refusal?.test(said) ? 'refused' : 'fails', said)
  }
}

async function openClients(
  url: string,
  home: string,
  closing: (() => Promise<unknown>)[],
): Promise<Readonly<Record<ClientName, Carry>>> {
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await response.json()) as Record<string, unknown>
  }
  const open = (): Promise<Record<string, unknown>> => post('/v2/browser', {})
  const endpointOf = async (): Promise<string> => String((await open())['cdpUrl'])
  const ofPuppeteer = await puppeteer.connect({ browserWSEndpoint: await endpointOf(), defaultViewport: null })
  const ofPlaywright = await chromium.connectOverCDP(await endpointOf())
  closing.push(
    () => ofPuppeteer.disconnect(),
    () => ofPlaywright.close(),
  )
  // A page that a client opens, in a session that has shown none.
  const page = await ofPuppeteer.newPage()
  const other = await ofPlaywright.contexts()[0]!.newPage()
  const { id } = await open()
  const execute = async (language: string, code: string): Promise<string> => {
    const answer = await post(`/v2/browser/${String(id)}/execute`, { language, code, timeout: 60 })
    const { result, stdout, stderr, error } = answer
    if (error) throw new Error(JSON.stringify({ error, stderr }))
    return String(language === 'bash' ? stdout : result).trim()
  }
  return {
    puppeteer: async (task) => {
      await page.goto(home)
      return task.puppeteer(page)
    },
    playwright: async (task) => {
      await other.goto(home)
      return task.playwright(other)
    },
    // Names are told apart: each run adds to those before it.
    node: (task) => execute('node', `await page.goto('${home}'); ${task.node}`),
    python: (task) => execute('python', `await page.goto('${home}')\n${task.python}`),
    bash: (task) => execute('bash', `agent-browser open ${home} >/dev/null; ${task.bash.replaceAll('ORIGIN/', home)}`),
  }
}

async function openPlain(home: string, closing: (() => Promise<unknown>)[]): Promise<Carry> {
  const browser = await puppeteer.launch({ executablePath: await plainBrowser(), args: ['--no-sandbox'] })
  closing.push(() => browser.close())
  const page = await browser.newPage()
  return async (task) => {
    await page.goto(home)
    return (task.plain ?? task.puppeteer)(page)
  }
}
