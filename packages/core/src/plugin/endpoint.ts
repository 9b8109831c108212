// Endpoints: the operations of a feature, each defined once for every way of calling it.
import type { ErrorCode } from '@harvestman/ports'
import type { z } from 'zod'

import type { RateGroup } from '../schema/team.ts'
import type { TeamCall } from './admission.ts'
import type { NoInput, NoOutput } from './nothing.ts'

/** HTTP methods of endpoints. */
export type EndpointMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Options of one call of a feature, besides its input. */
export interface FeatureCall extends TeamCall {
  readonly signal?: AbortSignal | undefined
  /** The version of the API that is used, for the activity. */
  readonly apiVersion?: string | undefined
  /** For servers: the public URL of the API, for URLs in results. */
  readonly apiUrl?: string | undefined
}

/** A file that an endpoint returns in place of JSON. */
export interface EndpointFile {
  readonly mediaType: string
  /** The name under which browsers save the file. */
  readonly name?: string | undefined
  readonly bytes: Uint8Array<ArrayBuffer> | AsyncIterable<Uint8Array>
}

/** A checked call of an endpoint. */
export interface EndpointCall<Params = Readonly<Record<string, string>>, Input = unknown> {
  /** The path parameters, by name. */
  readonly params: Params
  readonly input: Input
  readonly team: string
  /** The call, for operations of the engine on behalf of the same caller. */
  readonly call: FeatureCall & { readonly team: string }
  readonly signal: AbortSignal
  /** The public URL of the API; undefined for a call in this process. */
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
  /** A table: rows below the names of their columns, separated by tabs. With `--json`, each row is an object. */
  readonly table?: { readonly columns: readonly string[]; readonly rows: readonly PrintedLine[] }
  /** A value that is printed as JSON, in place of the result. */
  readonly json?: unknown
  /** Minimum widths of the values in `lines`, so that they form columns. */
  readonly widths?: readonly number[]
  /** A string of several lines below `lines`, such as a diff. Control characters are removed. */
  readonly text?: string | undefined
  /** A message for people, on standard error. */
  readonly message?: string | undefined
}

/** What differs from the default in the command of an endpoint. */
export interface EndpointCommand<Input = Readonly<Record<string, unknown>>, Result = unknown> {
  /** Its name. Default: the name of the endpoint, in lower case with hyphens. */
  readonly name?: string
  /** Properties of the input that are arguments instead of flags. They follow the path parameters. */
  readonly arguments?: readonly (keyof Input & string)[]
  /** Flags by property of the input, such as `{ key: '--by <columns>' }`. Default: `--` and the name with hyphens. */
  readonly flags?: { readonly [Name in keyof Input]?: string }
  /** Input of calls from the command line that set nothing else. */
  readonly defaults?: Partial<Input>
  /** The property of the input that takes the extension of the file in `--output` when its flag is absent. */
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
  /** The path below the server, such as `/v2/notes/{id}`. */
  readonly path: Path & `/v2/${string}`
  /** Other paths of the same endpoint, such as its path in version 1 when nothing else differs. They have the same parameters. */
  readonly aliases?: readonly `/v${1 | 2}/${string}`[]
  /** One sentence: the summary in OpenAPI, the help of the command, the description of the tool. */
  readonly summary: string
  /** Schema of the JSON body, or of the query string for `GET` and `DELETE`. Default: no input. */
  readonly input?: Input
  /** Schema of the result. Use `fileOutput` for a file. Default: no result. */
  readonly output?: Output
  /** Schemas of path parameters. Default: a string of 1 to 256 characters. */
  readonly params?: Readonly<Partial<Record<ParamsOf<Path>, z.ZodType<string>>>>
  /** Error codes of this endpoint, in addition to the common ones. */
  readonly errors?: readonly ErrorCode[]
  /** HTTP statuses of errors that differ from the statuses of other endpoints. */
  readonly statuses?: Readonly<Partial<Record<ErrorCode, number>>>
  /** Messages of HTTP responses for some errors, in place of those of the feature. */
  readonly messages?: Readonly<Partial<Record<'not_found' | 'forbidden', string>>>
  /** True when it changes nothing. It is then counted by the rate limit of reads, and not listed in the activity. Default: true for `GET`. */
  readonly isRead?: boolean
  /** The group of its rate limit. Default: `status` for reads, the group of the feature for others. */
  readonly rate?: RateGroup
  /** False when it is not listed in the activity, or lists itself by `kit.admit`. Default: false for reads, true for others. */
  readonly isNoted?: boolean
  /** Names of ports that the engine must have. Without one, servers respond with 503 and its name. */
  readonly needs?: readonly string[]
  /** True when calling it twice has the effect of one call, so clients may retry. Default: true for all methods but `POST`. */
  readonly isRepeatable?: boolean
  /** An example input, for the docs. */
  readonly example?: object
  /** True to offer it to language models as a tool. */
  readonly tool?: boolean
  /** True to send the properties of the result next to `success` instead of in `data`. A result may have a `success` of its own. */
  readonly isFlat?: boolean
  /** The property of HTTP responses that has the result. Default: `data`. */
  readonly property?: string
  /** Properties of the result that HTTP responses have next to `success` as well as in `data`. */
  readonly topLevel?: readonly (keyof NoInfer<z.output<Output>> & string)[]
  /** True to respond without a key over HTTP, because the path has a secret. Only for reads. */
  readonly isOpen?: boolean
  /** What differs from the default in its command. */
  readonly command?: EndpointCommand<NoInfer<z.input<Input>>, NoInfer<z.output<Output>>>
  /**
   * Returns the subject of a call for the activity. It runs before the call is admitted. Default: the first path parameter, or the
   * `url`, `query`, `urls` or `prompt` of the input.
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

/** One operation of a feature, with its defaults filled in. */
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
  readonly output: Output
  readonly params: Readonly<Record<string, z.ZodType<string>>>
  readonly errors: readonly ErrorCode[]
  readonly statuses: Readonly<Partial<Record<ErrorCode, number>>>
  readonly messages: Readonly<Partial<Record<'not_found' | 'forbidden', string>>>
  readonly isNoted: boolean
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

/** The method of an endpoint: its path parameters, its input if it has one, and the options of the call. */
export type MethodOf<One> =
  One extends Endpoint<never, infer Path, infer Input, infer Output>
    ? (...given: [...Ids<Path>, ...InputOf<Input>, call?: FeatureCall]) => Promise<z.output<Output>>
    : never

/** The methods of a feature: one for each of its endpoints. */
export type MethodsOf<All> = { readonly [Key in keyof All]: MethodOf<All[Key]> }

/** Returns the names of the parameters of a path, in order. */
export function paramNames(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

/** Returns whether an endpoint has input. */
export function hasInput({ input }: Pick<Endpoint, 'input'>): boolean {
  return !('shape' in input) || Object.keys(input.shape as object).length > 0
}
