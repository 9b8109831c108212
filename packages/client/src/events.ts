// Server-sent events, as a stream of bytes brings them.

export interface SentEvent {
  readonly id: string | undefined
  readonly type: string
  readonly data: string
}

/** Reads events until the stream ends. Comments, which keep connections open, are left out. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<SentEvent, void, void> {
  for await (const part of readParts(body, /\r?\n\r?\n/)) {
    const event = parseEvent(part)
    if (event) yield event
  }
}

/** Reads lines until the stream ends; a last line without an end is a line too. */
export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, void> {
  for await (const line of readParts(body, /\r?\n/, (rest) => rest !== '')) yield line
}

/** The text between separators. What is left at the end is given when it is whole: a stream that broke has half of it. */
async function* readParts(
  body: ReadableStream<Uint8Array>,
  separator: RegExp,
  isWhole: (rest: string) => boolean = () => false,
): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let rest = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true })
      const parts = rest.split(separator)
      rest = parts.pop() ?? ''
      yield* parts
      if (!done) continue
      if (isWhole(rest)) yield rest
      return
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function parseEvent(text: string): SentEvent | undefined {
  const fields = new Map<string, string[]>()
  for (const line of text.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
    if (name !== '') fields.set(name, [...(fields.get(name) ?? []), value])
  }
  const data = fields.get('data')
  if (!data) return undefined
  return { id: fields.get('id')?.at(-1), type: fields.get('event')?.at(-1) ?? 'message', data: data.join('\n') }
}
