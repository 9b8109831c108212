// Commands of features that do more than call one endpoint.
import type { z } from 'zod'

import type { Endpoints, MethodsOf, Printed } from './endpoint.ts'
import { noInput, type NoInput } from './nothing.ts'

/** Part of the output of a command. */
export interface CommandOutput extends Omit<Printed, 'json'> {
  /** The value that `--json` prints in place of the rest. A list has one line for each item. */
  readonly result?: unknown
  /** True when the command ends with the exit code of a failure. */
  readonly isFailure?: boolean
}

/** A call of a command. */
export interface CommandCall<Methods = unknown, Input = unknown> {
  /** The endpoints of the feature: of an engine in this process, or of a server. */
  readonly endpoints: Methods
  /** The arguments and flags, checked by the schema. */
  readonly input: Input
  /** Aborted when the user stops the command. */
  readonly signal: AbortSignal
}

/** Input of the function that makes commands. */
export interface CommandInput<Methods, Input extends z.ZodType> {
  /** One sentence for the help. */
  readonly summary: string
  /** Schema of its arguments and flags: an object. Default: none. */
  readonly input?: Input
  /** Properties of the input that are arguments instead of flags. The last one may be a list of strings. */
  readonly arguments?: readonly (keyof NoInfer<z.input<Input>> & string)[]
  /** Flags by property of the input, such as `{ key: '--by <columns>' }`. Default: `--` and the name with hyphens. */
  readonly flags?: { readonly [Name in keyof NoInfer<z.input<Input>>]?: string }
  /** Runs the command and yields its output, part by part. */
  run(call: CommandCall<Methods, z.output<Input>>): AsyncIterable<CommandOutput>
}

/** A command that a feature defines itself. It replaces the command of an endpoint with the same name. */
export interface FeatureCommand {
  readonly summary: string
  readonly input: z.ZodType
  readonly arguments: readonly string[]
  readonly flags: Readonly<Record<string, string | undefined>>
  run(call: CommandCall): AsyncIterable<CommandOutput>
}

/** Makes one command and infers its types. */
export type MakeCommand<All extends Endpoints<never> = Endpoints<never>> = <Input extends z.ZodType = NoInput>(
  input: CommandInput<MethodsOf<All>, Input>,
) => FeatureCommand

/** Commands of a feature by name. */
export type FeatureCommands = Readonly<Record<string, FeatureCommand>>

/** Makes a command with its defaults. `MakeCommand` has the types. */
export function makeCommand(input: CommandInput<unknown, z.ZodType>): FeatureCommand {
  return Object.freeze({ input: noInput, arguments: [], flags: {}, ...input })
}
