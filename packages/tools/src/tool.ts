import type { z } from 'zod'

import type { Answer } from './answer.ts'
import { ApiRefusal, type WebApi } from './web-api.ts'

/** A format or an action that a plugin of the server adds. */
export interface AddedPart {
  readonly type: string
  /** JSON Schema. */
  readonly options: Readonly<Record<string, unknown>>
}

/** Formats and actions that plugins of the server add. */
export interface AddedParts {
  readonly formats: readonly (AddedPart & { readonly as: string })[]
  readonly actions: readonly AddedPart[]
}

/** Ports, endpoints and formats of a server. */
export interface Abilities {
  readonly ports: readonly string[]
  readonly endpoints: readonly string[]
  readonly formats: readonly string[]
  /** Absent on older servers. */
  readonly added?: AddedParts
}

/** What a tool needs of them. */
export type Needs = Partial<Omit<Abilities, 'added'>>

/** One thing a model can do. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Input
  /** It changes or costs nothing beyond reading. */
  readonly isReadOnly: boolean
  /** It ends something that cannot be brought back. */
  readonly isDestructive: boolean
  /** Abilities of the server without which it cannot work. */
  readonly needs?: Needs
  readonly run: (input: z.output<Input>, context: ToolContext) => Promise<Answer>
}

/** One whose input is described by the server, which checks it. */
export interface DescribedTool extends Omit<Tool, 'input' | 'run'> {
  /** JSON Schema of an object. */
  readonly described: Readonly<Record<string, unknown>>
  readonly run: (input: object, context: ToolContext) => Promise<Answer>
}

export interface ToolContext {
  readonly api: WebApi
  readonly signal: AbortSignal
  /** The folder whose files may be read; none when absent. */
  readonly filesIn?: string | undefined
  /** Tells how far a long call is. */
  readonly progress: (done: number, total: number | undefined, message: string) => void
}

/** Infers the type of the input. */
export function defineTool<Input extends z.ZodObject>(
  tool: Omit<Tool<Input>, 'isReadOnly' | 'isDestructive'> & Partial<Pick<Tool, 'isReadOnly' | 'isDestructive'>>,
): Tool {
  // Cast: a list holds tools of every input, and each is called with what its own schema has read.
  return { isReadOnly: true, isDestructive: false, ...tool } as unknown as Tool
}

/** What a model reads of a failure: what happened, its code, and what to do. */
export function failureText(error: unknown): string {
  if (error instanceof ApiRefusal) return `${error.message} (${error.code})`
  if (error instanceof Error && error.name === 'AbortError') return 'The call was cancelled.'
  if (error instanceof Error && error.name === 'TimeoutError') return 'The call took too long. Ask for less at once.'
  return error instanceof Error ? `The server could not be reached: ${error.message}` : 'The call failed.'
}
