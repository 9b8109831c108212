// What the largest messages of a DevTools client cost the main thread of a server: node test/bench/hostile/messages.ts [times]
// The server runs in a process of its own. A step is the processor time of its thread in one turn of the event loop.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

interface Told {
  readonly url: string
  readonly megabytes: number
  readonly longest: number
}
interface Answer {
  readonly id?: number
  readonly result?: { readonly sessionId?: string; readonly targetInfos?: readonly { readonly targetId: string }[] }
  readonly error?: { readonly message: string }
}

const times = Number(process.argv[2] ?? 3)
const timeout = 20_000
const child = fork(fileURLToPath(new URL('./messages-server.ts', import.meta.url)), { execArgv: [] })
const told = (): Promise<Told> => new Promise((resolve) => child.once('message', (report) => resolve(report as Told)))
const tell = (question: string): Promise<Told> => {
  const answer = told()
  child.send(question)
  return answer
}
await told()

/** A client that asks one thing after the other, and says when it is not answered. */
async function connect(url: string) {
  const socket = new WebSocket(url)
  const waiting = new Map<number, (answer: Answer | string) => void>()
  const heard = new Set<string>()
  let lastId = 0
  let closed = ''
  socket.addEventListener('message', ({ data }: { readonly data: string }) => {
    const head = /^\{"id":(\d+)/.exec(data.slice(0, 100))?.[1]
    if (head === undefined) return void heard.add(/"method":"([\w.]+)"/.exec(data.slice(0, 200))?.[1] ?? '?')
    waiting.get(Number(head))?.(data.length > 1e6 ? `${data.length}` : (JSON.parse(data) as Answer))
    waiting.delete(Number(head))
  })
  socket.addEventListener('close', ({ code, reason }) => {
    closed = `closed with ${code} ${reason}`
    for (const settle of waiting.values()) settle(closed)
  })
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  const ask = (method: string, params: object, sessionId?: string): Promise<Answer | string> => {
    if (closed) return Promise.resolve(closed)
    const id = (lastId += 1)
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(`no answer; heard ${[...heard].join(' ')}`), timeout)
      waiting.set(id, (answer) => (clearTimeout(timer), resolve(answer)))
      socket.send(JSON.stringify({ id, method, params, sessionId }))
    })
  }
  return { ask, close: () => socket.close() }
}

const said = (answer: Answer | string): string =>
  typeof answer === 'string' ? answer : (answer.error?.message ?? 'answered').slice(0, 60)

const script = (letters: string) => ({ expression: `"${letters}".length`, returnByValue: true })
const mega = 1_000_000
const answerOf = (value: string) => ({ expression: value, returnByValue: true })
const rows: readonly (readonly [name: string, method: string, params: object])[] = [
  ['a script of 8 MB', 'Runtime.evaluate', script('x'.repeat(8 * mega))],
  ['a script of 8 MB, quotes', 'Runtime.evaluate', script(String.raw`\"`.repeat(2 * mega))],
  ['a script of 8 MB, of three bytes', 'Runtime.evaluate', script('語'.repeat(2.7 * mega))],
  [
    'a script with 99,000 values',
    'Runtime.callFunctionOn',
    {
      functionDeclaration: '() => 1',
      executionContextId: 1,
      arguments: Array.from({ length: 49_000 }, () => ({ value: 'x'.repeat(100) })),
    },
  ],
  ['an answer of 18 MB', 'Runtime.evaluate', answerOf('"x".repeat(18e6)')],
  ['an answer of 18 MB, of three bytes', 'Runtime.evaluate', answerOf('"語".repeat(6e6)')],
  ['an answer of 18 MB, quotes', 'Runtime.evaluate', answerOf('"\\"".repeat(9e6)')],
  ['an answer of 16 MB of numbers', 'Runtime.evaluate', answerOf('Array(4e6).fill(123)')],
  ['an answer of 40 MB', 'Runtime.evaluate', answerOf('"x".repeat(40e6)')],
  ['an answer of 40 MB of numbers', 'Runtime.evaluate', answerOf('Array(10e6).fill(123)')],
  ['an event of 10 MB', 'Runtime.evaluate', answerOf('console.log("x".repeat(10e6))')],
]

const table: Record<string, object> = {}
for (const [name, method, params] of rows) {
  if (process.argv[3] !== undefined && !name.includes(process.argv[3])) continue
  const steps: number[] = []
  const answers = new Set<string>()
  for (let time = 0; time < times; time += 1) {
    const { url } = await tell('open')
    const { ask, close } = await connect(url)
    const targets = await ask('Target.getTargets', {})
    const targetId = typeof targets === 'string' ? '' : targets.result?.targetInfos?.[0]?.targetId
    const attached = await ask('Target.attachToTarget', { targetId, flatten: true })
    const page = typeof attached === 'string' ? '' : attached.result?.sessionId
    await ask('Runtime.enable', {}, page)
    await tell('reset')
    answers.add(said(await ask(method, params, page)))
    answers.add(`then ${said(await ask('Runtime.evaluate', { expression: '1' }, page))}`)
    steps.push((await tell('tell')).longest)
    close()
  }
  table[name] = {
    'longest step ms': Math.round(Math.max(...steps)),
    'middle ms': Math.round(steps.toSorted((one, other) => one - other)[Math.floor(steps.length / 2)] ?? 0),
    answers: [...answers].join('; '),
  }
}
console.table(table)
child.kill()
