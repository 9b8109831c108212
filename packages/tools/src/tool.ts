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

/** Abilities that a tool needs. */
export type Needs = Partial<Omit<Abilities, 'added'>>

/** An operation that a model can call. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Input
  /** True if it only reads. */
  readonly isReadOnly: boolean
  /** True if its effect cannot be undone. */
  readonly isDestructive: boolean
  /** Abilities of the server that it needs. */
  readonly needs?: Needs
  readonly run: (input: z.output<Input>, context: ToolContext) => Promise<Answer>
}

/** A tool whose input is described and validated by the server. */
export interface DescribedTool extends Omit<Tool, 'input' | 'run'> {
  /** JSON Schema of an object. */
  readonly described: Readonly<Record<string, unknown>>
  readonly run: (input: object, context: ToolContext) => Promise<Answer>
}

/** Links to the user of a client. */
export interface UserLinks {
  /** Present if the call is repeated after a link. The state comes from the client, so it is checked like any input. */
  readonly last?: { readonly state: string; readonly isAccepted: boolean } | undefined
}

export interface ToolContext {
  readonly api: WebApi
  readonly signal: AbortSignal
  /** Links to the user of the client. Absent if it cannot show any. */
  readonly links?: UserLinks | undefined
  /** Folder whose files may be read; none if absent. */
  readonly filesIn?: string | undefined
  /** Reports the progress of a long call. */
  readonly progress: (done: number, total: number | undefined, message: string) => void
}

/** Defines a tool with an inferred input type. By default it is read-only and not destructive. */
export function defineTool<Input extends z.ZodObject>(
  tool: Omit<Tool<Input>, 'isReadOnly' | 'isDestructive'> & Partial<Pick<Tool, 'isReadOnly' | 'isDestructive'>>,
): Tool {
  // Cast: a list contains tools with different inputs, and each is called with the output of its own schema.
  return { isReadOnly: true, isDestructive: false, ...tool } as unknown as Tool
}

/** Returns the error message for a model: the problem, its code and the remedy. Works for anything that was thrown. */
export function failureText(error: unknown): string {
  if (error instanceof ApiRefusal) return `${error.message} (${error.code})`
  if (error instanceof Error && error.name === 'AbortError') return 'The call was cancelled.'
  if (error instanceof Error && error.name === 'TimeoutError') return 'The call took too long. Ask for less at once.'
  return error instanceof Error ? `The server could not be reached: ${error.message}` : 'The call failed.'
}
