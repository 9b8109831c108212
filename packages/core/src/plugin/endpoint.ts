// Endpoints: operations of a feature, defined once for the engine, HTTP, the client, the CLI and MCP.
import type { ErrorCode } from '@harvestman/ports'
import type { z } from 'zod'

import type { RateGroup } from '../schema/team.ts'
import type { TeamCall } from './admission.ts'
import type { NoInput, NoOutput } from './nothing.ts'

/** HTTP methods of endpoints. */
export type EndpointMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Options of one call of a feature, in addition to its input. */
export interface FeatureCall extends TeamCall {
  readonly signal?: AbortSignal | undefined
  /** Version of the API that the caller uses, for the activity log. */
  readonly apiVersion?: string | undefined
  /** For servers: public URL of the API, for URLs in results. */
  readonly apiUrl?: string | undefined
}

/** A file that an endpoint returns instead of JSON. */
export interface EndpointFile {
  readonly mediaType: string
  /** File name that browsers suggest when saving. */
  readonly name?: string | undefined
  readonly bytes: Uint8Array<ArrayBuffer> | AsyncIterable<Uint8Array>
}

/** A validated call of an endpoint. */
export interface EndpointCall<Params = Readonly<Record<string, string>>, Input = unknown> {
  /** Path parameters by name. */
  readonly params: Params
  readonly input: Input
  readonly team: string
  /** Options of the call, to pass on to engine operations for the same caller. */
  readonly call: FeatureCall & { readonly team: string }
  readonly signal: AbortSignal
  /** Public URL of the API; `undefined` for a call in this process. */
  readonly apiUrl: string | undefined
}

type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamsOf<Rest>
  : never

/** A value with readonly lists and objects at every depth. */
export type Immutable<Value> = Value extends Uint8Array | AsyncIterable<unknown>
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly Immutable<Item>[]
    : Value extends object
      ? { readonly [Key in keyof Value]: Immutable<Value[Key]> }
      : Value

type Awaitable<Value> = Value | Promise<Value>

/** Values that a command prints on one line. */
export type PrintedLine = readonly (string | number | null)[]

/** Output of a command for a result. */
export interface Printed {
  /** Lines of values. Default: the rows of the table, or all values of the result. */
  readonly lines?: readonly PrintedLine[]
  /** A table with column names as its header, separated by tabs. With `--json`, each row is an object. */
  readonly table?: { readonly columns: readonly string[]; readonly rows: readonly PrintedLine[] }
  /** Value to print as JSON instead of the result. */
  readonly json?: unknown
  /** Minimum column widths of `lines`. */
  readonly widths?: readonly number[]
  /** Multi-line text printed after `lines`, such as a diff. Control characters are removed. */
  readonly text?: string | undefined
  /** Message for people, printed to standard error. */
  readonly message?: string | undefined
}

/** Settings of an endpoint's command, where they differ from the defaults. */
export interface EndpointCommand<Input = Readonly<Record<string, unknown>>, Result = unknown> {
  /** Name of the command. Default: the name of the endpoint in kebab case. */
  readonly name?: string
  /** Properties of the input that are arguments instead of flags. They follow the path parameters. */
  readonly arguments?: readonly (keyof Input & string)[]
  /** Flags by property of the input, such as `{ key: '--by <columns>' }`. Default: `--` and the name in kebab case. */
  readonly flags?: { readonly [Name in keyof Input]?: string }
  /** Input values used when the command line does not set them. */
  readonly defaults?: Partial<Input>
  /**
   * Properties of the input that are the content of a file. The command line has its path, or `-` for standard input. Text is sent as
   * it is, other bytes in base64.
   */
  readonly files?: readonly (keyof Input & string)[]
  /** Property of the input that is set to the extension of the `--output` file if its flag is absent. */
  readonly extension?: keyof Input & string
  /** Returns the output for a result that is not a file. Default: all values. */
  print?(result: Result, call: { readonly params: Readonly<Record<string, string>>; readonly input: Input }): Printed
}

/** Input of the function that makes endpoints. */
export interface EndpointInput<
  Value,
  Path extends string,
  Input extends z.ZodType = NoInput,
  Output extends z.ZodType = NoOutput,
> {
  readonly method: EndpointMethod
  /** Path on the server, such as `/v2/notes/{id}`. */
  readonly path: Path & `/v2/${string}`
  /** Other paths of the same endpoint, such as its version 1 path if nothing else differs. Must have the same parameters. */
  readonly aliases?: readonly `/v${1 | 2}/${string}`[]
  /** One sentence: the summary in OpenAPI, the help of the command, the description of the tool. */
  readonly summary: string
  /** Schema of the JSON body, or of the query string for `GET` and `DELETE`. Default: no input. */
  readonly input?: Input
  /**
   * Maximum size of the string in a property of the JSON body over HTTP, in bytes as sent, such as `{ file: 64_000_000 }`. The limit of
   * the whole body applies too. Default, and limit of other strings: 1,000,000.
   */
  readonly maxTextBytes?: { readonly [Name in keyof NoInfer<z.input<Input>> & string]?: number }
  /** Schema of the result. Use `fileOutput` for a file. Default: no result. */
  readonly output?: Output
  /** Schemas of path parameters. Default: a string of 1 to 256 characters. */
  readonly params?: Readonly<Partial<Record<ParamsOf<Path>, z.ZodType<string>>>>
  /** Error codes of this endpoint, in addition to the common ones. */
  readonly errors?: readonly ErrorCode[]
  /** HTTP statuses of errors that differ from the statuses of other endpoints. */
  readonly statuses?: Readonly<Partial<Record<ErrorCode, number>>>
  /** Messages of HTTP responses for some errors. They override the feature's messages. */
  readonly messages?: Readonly<Partial<Record<'not_found' | 'forbidden', string>>>
  /** Messages of HTTP responses that have no code and no details, by error: the body is `{ success: false, error }`. */
  readonly plainErrors?: Readonly<Partial<Record<ErrorCode, string>>>
  /**
   * True if it has no side effects. It then counts toward the rate limit of reads, and is not listed in the activity log.
   * Default: true for `GET`.
   */
  readonly isRead?: boolean
  /** Group of its rate limit. Default: `status` for reads, otherwise the group of the feature. */
  readonly rate?: RateGroup
  /** False to omit it from the activity log, or if it calls `kit.admit` itself. Default: false for reads, true for others. */
  readonly isNoted?: boolean
  /** Name of its requests in the activity log: one of the feature's `activities`. Default: the first of them. */
  readonly activity?: string
  /** Names of ports that the engine must have. If one is missing, servers respond with 503 and its name. */
  readonly needs?: readonly string[]
  /** True if it is idempotent, so that clients may retry it. Default: true for all methods except `POST`. */
  readonly isRepeatable?: boolean
  /** Example input, for the docs. */
  readonly example?: object
  /** True to offer it to language models as a tool. */
  readonly tool?: boolean
  /**
   * True to send the properties of the result next to `success` instead of in `data`. The result may have its own `success`.
   */
  readonly isFlat?: boolean
  /** Property of HTTP responses that contains the result. Default: `data`. */
  readonly property?: string
  /** Properties of the result that HTTP responses repeat next to `success`, in addition to `data`. */
  readonly topLevel?: readonly (keyof NoInfer<z.output<Output>> & string)[]
  /**
   * True to allow HTTP requests without a key, because the path or the body contains a secret. Such a request has no team, so
   * only reads and endpoints with `isNoted: false` can have it.
   */
  readonly isOpen?: boolean
  /** Settings of its command. */
  readonly command?: EndpointCommand<NoInfer<z.input<Input>>, NoInfer<z.output<Output>>>
  /**
   * Returns the subject of a call for the activity log. Runs before the call is admitted. Default: the first path parameter, or
   * the `url`, `query`, `urls` or `prompt` of the input.
   */
  subject?(
    value: Value,
    call: EndpointCall<Readonly<Record<ParamsOf<Path>, string>>, z.output<Input>>,
  ): Awaitable<string | undefined>
  run(
    value: Value,
    call: EndpointCall<Readonly<Record<ParamsOf<Path>, string>>, z.output<Input>>,
  ): Awaitable<Immutable<z.input<Output>>>
}

/** An operation of a feature, with defaults filled in. */
export interface Endpoint<
  Value = unknown,
  Path extends string = string,
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> {
  readonly method: EndpointMethod
  readonly path: Path
  readonly aliases: readonly string[]
  readonly summary: string
  readonly input: Input
  readonly maxTextBytes: Readonly<Record<string, number>>
  readonly output: Output
  readonly params: Readonly<Record<string, z.ZodType<string>>>
  readonly errors: readonly ErrorCode[]
  readonly statuses: Readonly<Partial<Record<ErrorCode, number>>>
  readonly messages: Readonly<Partial<Record<'not_found' | 'forbidden', string>>>
  readonly plainErrors: Readonly<Partial<Record<ErrorCode, string>>>
  readonly isNoted: boolean
  readonly activity: string | undefined
  readonly needs: readonly string[]
  readonly isRead: boolean
  readonly rate: RateGroup | undefined
  readonly isRepeatable: boolean
  readonly example: object | undefined
  readonly tool: boolean
  readonly isFlat: boolean
  readonly property: string
  readonly topLevel: readonly string[]
  readonly isOpen: boolean
  readonly command: EndpointCommand
  subject?(value: Value, call: EndpointCall): Awaitable<string | undefined>
  run(value: Value, call: EndpointCall): Awaitable<z.input<Output>>
}

/** Endpoints of a feature by name. */
export type Endpoints<Value = unknown> = Readonly<Record<string, Endpoint<Value>>>

/** Makes one endpoint and infers its types. */
export type MakeEndpoint<Value> = <
  const Path extends string,
  Input extends z.ZodType = NoInput,
  Output extends z.ZodType = NoOutput,
>(
  input: EndpointInput<Value, Path, Input, Output>,
) => Endpoint<Value, Path, Input, Output>

type Ids<Path extends string> = Path extends `${string}{${string}}${infer Rest}` ? [id: string, ...Ids<Rest>] : []

type InputOf<Input extends z.ZodType> = Input extends { readonly shape: infer Shape }
  ? keyof Shape extends never
    ? []
    : GivenInput<Input>
  : GivenInput<Input>

type GivenInput<Input extends z.ZodType> =
  object extends z.input<Input> ? [input?: Immutable<z.input<Input>>] : [input: Immutable<z.input<Input>>]

/** Method for an endpoint: takes the path parameters, the input if there is one, and the options of the call. */
export type MethodOf<One> =
  One extends Endpoint<never, infer Path, infer Input, infer Output>
    ? (...given: [...Ids<Path>, ...InputOf<Input>, call?: FeatureCall]) => Promise<z.output<Output>>
    : never

/** Methods of a feature, one per endpoint. */
export type MethodsOf<All> = { readonly [Key in keyof All]: MethodOf<All[Key]> }

/** Returns the names of the parameters in a path such as `/v2/notes/{id}`, in order; empty without parameters. */
export function paramNames(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

/** Returns whether an endpoint takes input. False if its input schema is an object without properties. */
export function hasInput({ input }: Pick<Endpoint, 'input'>): boolean {
  return !('shape' in input) || Object.keys(input.shape as object).length > 0
}
