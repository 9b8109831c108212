// Reads the response of a chat-completions endpoint, complete or as an event stream, up to a size limit.
import type { Usage } from '@harvestman/ports'

import { parseJson } from '@harvestman/toolbox/parse-json'
import { modelFailed, modelUnavailable } from '../faults.ts'
import type { ModelReply, RawCall } from '../model.ts'

export interface AnswerLimits {
  /** Maximum number of bytes read from the network. */
  readonly bytes: number
  /** Maximum number of characters of text and tool calls together. */
  readonly characters: number
}

/** The fields of a response chunk that are used. Endpoints may omit any of them or send other types. */
interface Chunk {
  readonly choices?: readonly Choice[]
  readonly usage?: { readonly prompt_tokens?: unknown; readonly completion_tokens?: unknown } | null
  readonly error?: unknown
}

interface Choice {
  readonly message?: Part | null
  readonly delta?: Part | null
  readonly finish_reason?: unknown
}

interface Part {
  readonly content?: unknown
  readonly refusal?: unknown
  readonly tool_calls?: unknown
}

interface CallPart {
  readonly index?: number
  readonly id?: unknown
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null
}

interface Gathering {
  text: string
  characters: number
  refusal: string
  finish: string | undefined
  usage: Usage | undefined
  readonly calls: Map<number, { id: string; name: string; input: string }>
}

/**
 * Reads the response, complete or streamed. Calls `onPiece` for each chunk, so that the caller can detect silence. Rejects with
 * `model_failed` if the response exceeds `limits`, has more than 32 tool calls or is not readable, `model_unavailable` if the
 * stream ends early or the response reports an error, and with the error of the network.
 */
export async function readAnswer(response: Response, limits: AnswerLimits, onPiece: () => void): Promise<ModelReply> {
  const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false
  const pieces = textPieces(response, limits.bytes, onPiece)
  const gathering: Gathering = {
    text: '',
    characters: 0,
    refusal: '',
    finish: undefined,
    usage: undefined,
    calls: new Map(),
  }
  if (isStream) await gatherStream(pieces, gathering, limits)
  else await gatherWhole(pieces, gathering, limits)
  return replyOf(gathering)
}

/** Reads the beginning of an error response, at most 2,000 characters, for error messages. Never rejects. */
export async function readRefusal(response: Response, onPiece: () => void): Promise<string> {
  let text = ''
  try {
    for await (const piece of textPieces(response, 20_000, onPiece)) text += piece
  } catch {
    // A partial body is enough for the message.
  }
  return text.slice(0, 2_000)
}

/** Reads a response of at most `most` bytes. Rejects with `model_failed` if it is larger, and with the error of the network. */
export async function readWhole(response: Response, most: number, onPiece: () => void): Promise<string> {
  let text = ''
  for await (const piece of textPieces(response, most, onPiece)) text += piece
  return text
}

async function* textPieces(response: Response, most: number, onPiece: () => void): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let bytes = 0
  // Leaving the loop early closes the connection.
  for await (const piece of response.body ?? []) {
    onPiece()
    bytes += piece.length
    if (bytes > most) throw tooLarge()
    yield decoder.decode(piece, { stream: true })
  }
}

function tooLarge(): Error {
  return modelFailed('too_large', 'The response of the model is too large.')
}

async function gatherWhole(pieces: AsyncIterable<string>, gathering: Gathering, limits: AnswerLimits): Promise<void> {
  let text = ''
  for await (const piece of pieces) text += piece
  const chunk = parseChunk(text)
  if (!chunk)
    throw modelFailed('bad_answer', 'The endpoint of the language model did not answer with JSON. Check its base URL.')
  take(chunk, gathering, limits)
  if (!chunk.choices?.[0])
    throw modelFailed(
      'bad_answer',
      'The endpoint of the language model answered without any choice. Check its base URL.',
    )
}

async function gatherStream(pieces: AsyncIterable<string>, gathering: Gathering, limits: AnswerLimits): Promise<void> {
  let rest = ''
  let isOver = false
  for await (const piece of pieces) {
    const lines = (rest + piece).split(/\r?\n/)
    rest = lines.pop() ?? ''
    if (rest.length > limits.characters) throw tooLarge()
    for (const line of lines) isOver = takeLine(line, gathering, limits) || isOver
  }
  isOver = takeLine(rest, gathering, limits) || isOver
  if (!isOver && gathering.finish === undefined)
    throw modelUnavailable('connection', 'The answer of the language model ended early.')
}

/** Returns whether the line marks the end of the stream. */
function takeLine(line: string, gathering: Gathering, limits: AnswerLimits): boolean {
  const data = /^data:\s?(.*)$/.exec(line)?.[1]
  if (data === undefined) return false
  if (data.trim() === '[DONE]') return true
  const chunk = parseChunk(data)
  if (chunk) take(chunk, gathering, limits)
  return false
}

function parseChunk(text: string): Chunk | undefined {
  const value = parseJson(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
}

function take({ choices, usage, error }: Chunk, gathering: Gathering, limits: AnswerLimits): void {
  // Gateways respond with 200 and report upstream errors in the body.
  if (error !== undefined && error !== null)
    throw modelUnavailable('server', 'The endpoint of the language model reported a failure in its answer.', {
      answered: JSON.stringify(error).slice(0, 500),
    })
  if (usage && typeof usage === 'object') gathering.usage = readUsage(usage) ?? gathering.usage
  const choice = Array.isArray(choices) ? (choices[0] as Choice | undefined) : undefined
  if (!choice) return
  if (typeof choice.finish_reason === 'string') gathering.finish = choice.finish_reason
  const part = choice.delta ?? choice.message
  if (!part) return
  if (typeof part.content === 'string') gathering.text += counted(part.content, gathering, limits)
  if (Array.isArray(part.content)) gathering.text += counted(textOf(part.content), gathering, limits)
  if (typeof part.refusal === 'string') gathering.refusal += counted(part.refusal, gathering, limits)
  if (!Array.isArray(part.tool_calls)) return
  for (const [place, call] of part.tool_calls.entries()) if (call) takeCall(call as CallPart, place, gathering, limits)
}

function counted(text: string, gathering: Gathering, { characters }: AnswerLimits): string {
  gathering.characters += text.length
  if (gathering.characters > characters) throw tooLarge()
  return text
}

/** Joins the content if an endpoint sends it as a list of parts. */
function textOf(parts: readonly unknown[]): string {
  return parts
    .map((part) => (typeof part === 'object' && part !== null && 'text' in part ? part.text : ''))
    .filter((text) => typeof text === 'string')
    .join('')
}

const maxCalls = 32

function takeCall(part: CallPart, place: number, gathering: Gathering, limits: AnswerLimits): void {
  const { calls } = gathering
  const index = part.index ?? place
  const call = calls.get(index) ?? { id: '', name: '', input: '' }
  if (calls.size >= maxCalls && !calls.has(index)) throw tooLarge()
  calls.set(index, call)
  const { name, arguments: input } = part.function ?? {}
  if (typeof part.id === 'string' && part.id !== '') call.id = part.id
  if (typeof name === 'string') call.name += counted(name, gathering, limits)
  if (typeof input === 'string') call.input += counted(input, gathering, limits)
  else if (typeof input === 'object' && input !== null) call.input = counted(JSON.stringify(input), gathering, limits)
}

function readUsage({
  prompt_tokens: input,
  completion_tokens: output,
}: NonNullable<Chunk['usage']>): Usage | undefined {
  if (!isCount(input) || !isCount(output)) return undefined
  return { inputTokens: input, outputTokens: output }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function replyOf({ text, refusal, finish, usage, calls }: Gathering): ModelReply {
  const end = refusal !== '' || finish === 'content_filter' ? 'refused' : finish === 'length' ? 'cut' : 'done'
  const made: RawCall[] = [...calls].sort(([one], [other]) => one - other).map(([, call]) => call)
  return { text, calls: made, end, usage }
}
