/** A parsed protocol message. */
export interface Message {
  readonly id?: number
  readonly sessionId?: string
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code?: number; readonly message: string }
  /** The JSON of `result` or `params` if it is large. It is then only parsed on access. */
  readonly written?: string
}

type Values = Readonly<Record<string, unknown>>

/** The fields that identify a message, and the number of characters before and after its content. */
interface Envelope {
  /** Id of a response. Events have a method instead. */
  readonly id: number
  readonly method?: string
  readonly sessionId: string
  readonly before: number
  readonly behind: number
}

/** Messages with more characters are forwarded without parsing their content. */
const large = 65_536
const ends = 200
// The format of Chromium: id or method first, sessionId last. Quotes inside strings are escaped, so the last field of a message
// cannot be part of its content.
const answerHead = /^\{"id":(\d{1,15}),"result":/
const eventHead = /^\{"method":"([\w.]{1,100})","params":/
const tail = /,"sessionId":"([^"\\]{1,100})"\}$/

/**
 * Parses a message of the browser. Of one with more than 65,536 characters only the two ends are parsed, if they have
 * Chromium's format. Throws a `SyntaxError` if a message is not valid JSON; the content of a large one is checked on access.
 */
export function hear(text: string): Message {
  const envelope = text.length > large ? envelopeOf(text.slice(0, ends), text.slice(-ends)) : undefined
  // The filter itself needs the content of target events.
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

/**
 * Returns an error response to replace a response of more than `most` characters, based on its two ends. Returns `undefined`
 * for an event.
 */
export function insteadOf(start: string, end: string, most: number): string | undefined {
  const id = /^\{"id":(\d{1,15}),/.exec(start)?.[1]
  const sessionId = tail.exec(end)?.[1]
  if (id === undefined) return undefined
  const message = `The answer of the browser has more than ${most} characters.`
  return JSON.stringify({ id: Number(id), error: { code: tooLargeCode, message }, sessionId })
}
