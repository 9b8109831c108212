import type { JsonSchema, Tool, Turn, Usage } from '@harvestman/ports'

/** Something that answers one message, as it comes: nothing is checked yet. */
export interface Model {
  readonly name: string
  readonly contextTokens: number
  readonly maxOutputTokens: number
  /** The shape is asked for in whatever way the model knows; what comes may have it or not. */
  send(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>
  /** Is told that an answer was not even JSON: the model may ask for the shape in another way next time. */
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
  /** `cut`: the answer was longer than was allowed. */
  readonly end: 'done' | 'cut' | 'refused'
  readonly usage: Usage | undefined
}

/** A call as the model wrote it. */
export interface RawCall {
  readonly id: string
  readonly name: string
  readonly input: string
}
