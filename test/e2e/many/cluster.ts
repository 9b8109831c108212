import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'

const ownCommand = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url))

/** Processes of the command that share a store: some answer, some work. */
export interface Cluster {
  /** The addresses of those that answer. */
  readonly urls: readonly string[]
  /** The addresses at which workers tell how they are. */
  readonly workerUrls: readonly string[]
  /** Ends the process at an address as a machine that fails would, and starts another one there. */
  kill(url: string): Promise<void>
  /** Stops the process at an address as a machine that sleeps would, and lets it go on after so many milliseconds. */
  hang(url: string, ms: number): Promise<void>
  /** Ends a worker as a machine that fails would, and starts another one. */
  killWorker(): Promise<void>
  startWorker(): Promise<void>
  /** Asks a worker to stop, and resolves to its exit code and the milliseconds that it took. */
  stopWorker(): Promise<{ readonly code: unknown; readonly took: number }>
  readonly workers: number
  /** The processes that run. */
  readonly pids: readonly number[]
  stop(): Promise<void>
}

export interface ClusterOptions {
  readonly env: Readonly<Record<string, string>>
  readonly apis: number
  readonly workers: number
  /** The port of the pages that may be visited on this machine. */
  readonly sitePorts: readonly number[]
  /** More for those that answer. */
  readonly args?: readonly string[]
  /** The file of the command, where it is that of another version. */
  readonly command?: string
}

export async function startCluster({
  env,
  apis,
  workers,
  sitePorts,
  args: more = [],
  command = ownCommand,
}: ClusterOptions): Promise<Cluster> {
  const children: ChildProcess[] = []
  const start = async (args: readonly string[], port = '0'): Promise<Member> => {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', command, ...args, '--port', port], {
      env: {
        ...process.env,
        HARVESTMAN_LOG: 'error',
        HARVESTMAN_ALLOW_PRIVATE: sitePorts.map((port) => `127.0.0.1/32:${port}`).join(','),
        ...env,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    children.push(child)
    return { args, child, url: await saidUrl(child) }
  }
  const working: Member[] = []
  const startWorker = async (): Promise<void> => void working.push(await start(['work']))
  const serving = await Promise.all(Array.from({ length: apis }, () => start(['serve', ...more])))
  await Promise.all(Array.from({ length: workers }, startWorker))
  const listOf = (url: string): Member[] => (working.some((one) => one.url === url) ? working : serving)
  const memberAt = (url: string): Member => {
    const member = listOf(url).find((one) => one.url === url)
    if (!member) throw new Error(`There is no process at ${url}.`)
    return member
  }
  const kill = async (url: string): Promise<void> => {
    const [list, { child, args }] = [listOf(url), memberAt(url)]
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    list[list.findIndex((one) => one.url === url)] = await start(args, new URL(url).port)
  }
  return {
    get urls() {
      return serving.map(({ url }) => url)
    },
    get workerUrls() {
      return working.map(({ url }) => url)
    },
    startWorker,
    get workers() {
      return working.length
    },
    get pids() {
      return children.flatMap(({ pid, exitCode, signalCode }) =>
        pid !== undefined && exitCode === null && signalCode === null ? [pid] : [],
      )
    },
    kill,
    hang: async (url, ms) => {
      const { child } = memberAt(url)
      child.kill('SIGSTOP')
      await new Promise((resolve) => setTimeout(resolve, ms))
      child.kill('SIGCONT')
    },
    killWorker: async () => {
      const victim = working.shift()
      victim?.child.kill('SIGKILL')
      await startWorker()
    },
    stopWorker: async () => {
      const leaving = working.shift()?.child
      if (!leaving) throw new Error('There is no worker.')
      const begin = performance.now()
      leaving.kill('SIGTERM')
      const [code] = (await once(leaving, 'exit')) as unknown[]
      return { code, took: performance.now() - begin }
    },
    stop: async () => {
      const running = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
      const ended = running.map((child) => once(child, 'exit'))
      for (const child of running) child.kill('SIGTERM')
      const hard = setTimeout(() => running.forEach((child) => child.kill('SIGKILL')), 15_000)
      await Promise.all(ended)
      clearTimeout(hard)
    },
  }
}

interface Member {
  readonly args: readonly string[]
  readonly child: ChildProcess
  readonly url: string
}

async function saidUrl({ stderr }: ChildProcess): Promise<string> {
  let said = ''
  return new Promise((resolve, reject) => {
    stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const [url] = /http:\/\/[\d.]+:\d+/.exec(said) ?? []
      if (url) resolve(url)
    })
    stderr?.on('end', () => reject(new Error(`The process ended, and said: ${said}`)))
  })
}

/** A site of so many pages, each with links to the ten that come next; it counts what is asked of it. */
export interface CountedSite {
  readonly url: string
  readonly port: number
  readonly visits: ReadonlyMap<string, number>
  /** When each page was asked for. */
  readonly times: readonly number[]
  close(): void
}

export async function startCountedSite(pages: number, { delay = 20, robots = '' } = {}): Promise<CountedSite> {
  const visits = new Map<string, number>()
  const times: number[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    if (path === '/robots.txt') return void response.writeHead(robots ? 200 : 404).end(robots)
    const number = path === '/' ? 0 : Number(/^\/page\/(\d+)$/.exec(path)?.[1] ?? Number.NaN)
    if (!(number < pages)) return void response.writeHead(404).end()
    visits.set(path, (visits.get(path) ?? 0) + 1)
    times.push(performance.now())
    const links = Array.from({ length: 10 }, (_, next) => number * 10 + next + 1).filter((next) => next < pages)
    const list = links.map((next) => `<li><a href="/page/${next}">Page ${next}</a></li>`).join('')
    const text = textOf(number)
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(`<title>Page ${number}</title><main><h1>Page ${number}</h1><p>${text}</p><ul>${list}</ul></main>`)
    }, delay)
  })
  const port = await listening(server)
  return { url: `http://127.0.0.1:${port}`, port, visits, times, close: () => void server.close() }
}

// Pages that say the same would be taken for a trap.
function textOf(number: number): string {
  return Array.from({ length: 120 }, (_, word) => ((number + 1) * 2_654_435_761 * (word + 7)).toString(36)).join(' ')
}

/** Takes what webhooks send. */
export interface Receiver {
  readonly url: string
  readonly port: number
  readonly types: readonly string[]
  /** The ids of the messages, each once. */
  readonly ids: ReadonlySet<string>
  close(): void
}

export async function startReceiver(): Promise<Receiver> {
  const types: string[] = []
  const ids = new Set<string>()
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const { type, webhookId } = JSON.parse(body) as { readonly type: string; readonly webhookId: string }
      if (!ids.has(webhookId)) types.push(type)
      ids.add(webhookId)
      response.end()
    })
  })
  const port = await listening(server)
  return { url: `http://127.0.0.1:${port}/`, port, types, ids, close: () => void server.close() }
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const part of request) body += String(part)
  return body
}

async function listening(server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

export interface JobAnswer {
  readonly status: string
  readonly total: number
  readonly completed: number
  readonly creditsUsed: number
  readonly next?: string
  readonly data: readonly { readonly metadata: { readonly sourceURL: string; readonly title?: string } }[]
}

export async function post(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return (await answer.json()) as { readonly success: boolean; readonly id: string }
}

export async function statusAt(url: string): Promise<JobAnswer> {
  return (await (await fetch(url)).json()) as JobAnswer
}

/** Waits for the end of a job, and gives its answer with the pages of all its parts. */
export async function untilEnded(url: string, within: number): Promise<JobAnswer> {
  const end = performance.now() + within
  for (;;) {
    let failed: unknown
    const answer = await statusAt(url).catch((error: unknown) => void (failed = error))
    if (answer && ['completed', 'failed', 'cancelled'].includes(answer.status)) return withAllPages(answer)
    if (performance.now() > end) {
      throw new Error(`The job has not ended: ${JSON.stringify({ ...answer, data: [] })}`, { cause: failed })
    }
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

async function withAllPages(first: JobAnswer): Promise<JobAnswer> {
  const data = [...first.data]
  for (let { next } = first; next !== undefined;) {
    const answer: JobAnswer = await statusAt(next)
    data.push(...answer.data)
    next = answer.next
  }
  return { ...first, data }
}
