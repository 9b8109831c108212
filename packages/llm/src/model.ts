import type { JsonSchema, Tool, Turn, Usage } from '@harvestman/ports'

/** A model that answers one message. Its reply is not validated yet. */
export interface Model {
  readonly name: string
  readonly contextTokens: number
  readonly maxOutputTokens: number
  /** Requests the schema in any way the model supports. The reply may not fit it. */
  send(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>
  /** Called when an answer was not even JSON, so that the model can request the schema in another way next time. */
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
  /** `cut`: the answer reached the token limit. */
  readonly end: 'done' | 'cut' | 'refused'
  readonly usage: Usage | undefined
}

/** A tool call as the model wrote it, not parsed yet. */
export interface RawCall {
  readonly id: string
  readonly name: string
  readonly input: string
}
