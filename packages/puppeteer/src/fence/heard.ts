/** A message of the protocol, read. */
export interface Message {
  readonly id?: number
  readonly sessionId?: string
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code?: number; readonly message: string }
  /** `result` or `params` as the browser wrote it, where that is large: values are made of it when they are asked for. */
  readonly written?: string
}

type Values = Readonly<Record<string, unknown>>

/** What says where a message goes, and how much stands before and behind what it holds. */
interface Envelope {
  /** Of an answer; an event has a method. */
  readonly id: number
  readonly method?: string
  readonly sessionId: string
  readonly before: number
  readonly behind: number
}

/** Characters above which no values are made of a message that is passed on. */
const large = 65_536
const ends = 200
// As Chromium writes them: the number or the name first, the session last. Quotes inside of a text are never bare, so the last
// name of a message cannot be part of its content.
const answerHead = /^\{"id":(\d{1,15}),"result":/
const eventHead = /^\{"method":"([\w.]{1,100})","params":/
const tail = /,"sessionId":"([^"\\]{1,100})"\}$/

/** Reads what the browser says. Of a large message only its two ends are, as far as it is written as Chromium writes. */
export function hear(text: string): Message {
  const envelope = text.length > large ? envelopeOf(text.slice(0, ends), text.slice(-ends)) : undefined
  // What is said of targets is for the fence itself to know.
  if (!envelope || envelope.method?.startsWith('Target.')) return JSON.parse(text) as Message
  const { id, method, sessionId, before, behind } = envelope
  const written = text.slice(before, text.length - behind)
  let values: Values | undefined
  const make = (): Values => (values ??= JSON.parse(written) as Values)
  if (method === undefined)
    return {
      ...{ id, sessionId, written },
      get result() {
        return make()
      },
    }
  return {
    ...{ method, sessionId, written },
    get params() {
      return make()
    },
  }
}

function envelopeOf(start: string, end: string): Envelope | undefined {
  const session = tail.exec(end)
  const head = answerHead.exec(start) ?? eventHead.exec(start)
  if (!session?.[1] || !head?.[1]) return undefined
  const place = { sessionId: session[1], before: head[0].length, behind: session[0].length }
  return head[0].startsWith('{"id"') ? { id: Number(head[1]), ...place } : { id: 0, method: head[1], ...place }
}

const tooLargeCode = -32_000

/** What takes the place of an answer that is too large to be kept, by its two ends; of an event nothing does. */
export function insteadOf(start: string, end: string, most: number): string | undefined {
  const id = /^\{"id":(\d{1,15}),/.exec(start)?.[1]
  const sessionId = tail.exec(end)?.[1]
  if (id === undefined) return undefined
  const message = `The answer of the browser has more than ${most} characters.`
  return JSON.stringify({ id: Number(id), error: { code: tooLargeCode, message }, sessionId })
}
