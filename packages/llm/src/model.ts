import type { JsonSchema, Tool, Turn, Usage } from '@harvestman/ports'

/** A model that replies to one message. Its reply is not validated yet. */
export interface Model {
  readonly name: string
  readonly contextTokens: number
  readonly maxOutputTokens: number
  /** Requests the schema in any way the model supports. The reply may not fit it. */
  send(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>
  /** Called if a reply was not even JSON, so that the next request can use another method for structured output. */
  sawNoJson?(): void
}

export interface ModelRequest {
  readonly system: string
  readonly prompt: string
  readonly turns: readonly Turn[]
  readonly tools: readonly Tool[]
  readonly schema: JsonSchema | undefined
  readonly temperature: number
  readonly maxOutputTokens: number
}

export interface ModelReply {
  readonly text: string
  readonly calls: readonly RawCall[]
  /** `cut`: the reply reached the token limit. */
  readonly end: 'done' | 'cut' | 'refused'
  readonly usage: Usage | undefined
}

/** A tool call as the model wrote it, not parsed yet. */
export interface RawCall {
  readonly id: string
  readonly name: string
  readonly input: string
}
