// Commands of features that do more than call one endpoint.
import type { z } from 'zod'

import type { Endpoints, MethodsOf, Printed } from './endpoint.ts'
import { noInput, type NoInput } from './nothing.ts'

/** Part of the output of a command. */
export interface CommandOutput extends Omit<Printed, 'json'> {
  /** Value that `--json` prints instead of the rest. For a list, one line per item. */
  readonly result?: unknown
  /** True to end with a non-zero exit code. */
  readonly isFailure?: boolean
}

/** A call of a command. */
export interface CommandCall<Methods = unknown, Input = unknown> {
  /** Methods of the feature's endpoints, on an engine in this process or on a server. */
  readonly endpoints: Methods
  /** Arguments and flags, validated by the schema. */
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
  /** Flags by property of the input, such as `{ key: '--by <columns>' }`. Default: `--` and the name in kebab case. */
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

/** Makes a command with its defaults filled in. `MakeCommand` has the types. */
export function makeCommand(input: CommandInput<unknown, z.ZodType>): FeatureCommand {
  return Object.freeze({ input: noInput, arguments: [], flags: {}, ...input })
}
