import type { Json, Usage } from '@harvestman/ports'

/** The reaction of a scripted endpoint to a request. */
export type ChatReply =
  | (ReplyDetails & { readonly text: string })
  /** Printed as JSON. */
  | (ReplyDetails & { readonly value: Json })
  | (ReplyDetails & {
      readonly calls: readonly { readonly name: string; readonly input: Json | string }[]
      readonly text?: string
    })
  | { readonly refusal: string }
  /** Responds with this status and body. */
  | { readonly status: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> }
  /** Sends this string unchanged. */
  | { readonly raw: string; readonly type?: string }
  /** Streams this string and closes the connection before the end of the stream. */
  | { readonly brokenOff: string }
  /** Streams this many bytes of a reply that does not end. */
  | { readonly flood: number }
  /** Accepts the request without responding; closes the connection; begins a stream and then sends nothing. */
  | 'silence'
  | 'hang up'
  | 'stall'
  | ((request: ChatRequest) => ChatReply | Promise<ChatReply>)

interface ReplyDetails {
  /** Omitted if `null`, like endpoints that do not count. */
  readonly usage?: Usage | null
  /** `length` means that the reply was truncated. */
  readonly finish?: string
}

/** A received request. */
export interface ChatRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: ChatRequestBody
  /** The content of all messages as one string. */
  readonly prompt: string
}

/** The body of a request for a chat completion. */
export interface ChatRequestBody {
  readonly model?: string
  readonly messages: readonly {
    readonly role: string
    readonly content: string | null
    readonly tool_calls?: readonly object[]
    readonly tool_call_id?: string
  }[]
  readonly response_format?: {
    readonly type: string
    readonly json_schema?: { readonly schema: Json; readonly strict: boolean }
  }
  readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters: Json } }[]
  readonly tool_choice?: Json
  readonly temperature?: number
  readonly max_tokens?: number
  readonly max_completion_tokens?: number
  readonly stream?: boolean
  readonly stream_options?: { readonly include_usage?: boolean }
}

/** Features that an endpoint supports; it rejects all others, with the messages of real endpoints. */
export interface ChatKnowledge {
  readonly shapes: readonly ('json_schema' | 'json_object')[]
  readonly tools: boolean
  readonly stream: boolean
  readonly streamOptions: boolean
  readonly temperature: boolean
  readonly limit: 'max_tokens' | 'max_completion_tokens' | 'none'
}

export const knowsAll: ChatKnowledge = {
  shapes: ['json_schema', 'json_object'],
  tools: true,
  stream: true,
  streamOptions: true,
  temperature: true,
  limit: 'max_tokens',
}

/** Returns the error message for a request that uses unsupported features. Returns `undefined` if all are supported. */
export function refusalOf(body: ChatRequestBody, knows: ChatKnowledge): string | undefined {
  const shape = body.response_format?.type
  if (body.max_tokens !== undefined && knows.limit !== 'max_tokens')
    return "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
  if (body.max_completion_tokens !== undefined && knows.limit !== 'max_completion_tokens')
    return 'max_completion_tokens: Extra inputs are not permitted'
  if (body.temperature !== undefined && !knows.temperature)
    return "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported."
  if (body.stream_options && !knows.streamOptions) return 'stream_options: Extra inputs are not permitted'
  if (body.stream && !knows.stream) return 'Streaming is not supported by this deployment.'
  if (shape !== undefined && !(knows.shapes as readonly string[]).includes(shape))
    return `Invalid parameter: 'response_format' of type '${shape}' is not supported with this model.`
  if (body.tools && !knows.tools) return `registry/${body.model} does not support tools`
  return undefined
}
