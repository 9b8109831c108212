// Functions that define the parts of plugins. They check, type and freeze definitions. Built-in parts use them as well.
import { z } from 'zod'

import { EngineError, type ErrorCode, type Tab, type Usage } from '@harvestman/ports'
import { formatValue } from '../lib/format-value.ts'
import { checkDefinition } from './definition.ts'
import {
  actionShape,
  derivedFormatShape,
  formatShape,
  gateShape,
  loaderShape,
  parserShape,
  pluginShape,
  policyShape,
} from './shapes.ts'
import type { Feature } from './feature.ts'
import type { DeriveContext, Field, FieldMap, Format, KeepContext, Keeper, KeeperContext } from './field.ts'
import type { RevisitContext, ValuesOf } from './field.ts'
import type { Gate } from './gate.ts'
import type { JobPart } from './job.ts'
import type { Action, ActionContext, ActionResult, BrowserNeeds } from './action.ts'
import type { Loader, Parser, Pass, Plugin } from './parts.ts'
import type { Policy } from './policy.ts'
import type { Port, PortMap } from './port.ts'
import type { EndpointGroup } from '../schema/team.ts'
import type { KeptCopy, RevisitChoice } from './revisit.ts'

const noOptions = z.object({})
type NoOptions = typeof noOptions

/** Input of `defineField`. */
export interface FieldInput<Name extends string, Needs extends FieldMap, Value> {
  readonly name: Name
  readonly needs: Needs
  readonly fromPageAlone?: boolean
  derive(needs: ValuesOf<Needs>, context: DeriveContext): Value | Promise<Value>
}

/** Defines a value that formats may need, without a name in the API. */
export function defineField<const Name extends string, Needs extends FieldMap, Value>(
  input: FieldInput<Name, Needs, Value>,
): Field<Name, Awaited<Value>> {
  return Object.freeze({ ...input }) as Field<Name, Awaited<Value>>
}

/** Input of `defineKeeper`. */
export interface KeeperInput<Name extends string, Needs extends FieldMap> {
  readonly name: Name
  readonly needs: Needs
  readonly ofJobs?: boolean
  readonly notes?: string
  keep(values: ValuesOf<Needs>, context: KeeperContext): Promise<void>
}

/** Defines data to store about every page that may be cached, whichever formats are requested. */
export function defineKeeper<const Name extends string, Needs extends FieldMap>(
  input: KeeperInput<Name, Needs>,
): Keeper<Name, Needs> {
  return Object.freeze({ ...input, fromPageAlone: true, derive: (values: ValuesOf<Needs>) => values })
}

interface FormatBase<
  Type extends string,
  Options extends z.ZodObject,
  Alias extends string = string,
  Fits extends string = string,
  Ports extends PortMap = PortMap,
  As extends string = string,
  OneOf extends string = string,
> {
  readonly type: Type
  readonly as?: As
  propertiesFor?(options: z.output<Options>): readonly string[]
  readonly options?: Options
  readonly value?: z.ZodType
  readonly requires?: Ports
  requiresFor?(options: z.output<Options>): readonly Port[]
  follows?(options: z.output<Options>): string | null
  since?(since: string): z.input<Options>
  revisit?(copy: KeptCopy, context: RevisitContext, options: z.output<Options>): Promise<RevisitChoice>
  readonly minTimeout?: number
  locates?(options: z.output<Options>): boolean
  loads?(options: z.output<Options>): number
  readonly aliases?: Readonly<Record<Alias, z.input<Options>>>
  readonly optionsUnder?: string
  readonly valueFits?: Fits
  readonly oneOf?: readonly OneOf[]
  readonly accompanies?: readonly string[]
  readonly group?: EndpointGroup
  readonly isRaw?: boolean
  check?(options: z.output<Options>): string | undefined
  credits?(options: z.output<Options>, usage: Usage, value?: unknown): number
  creditsAtMost?(options: z.output<Options>): number
}

type Shorten<Value, Context> = (value: Awaited<Value>, context: Context) => Value | Promise<Value>

/** Input of `defineFormat` for a format that derives its value. */
export interface FormatInput<
  Type extends string,
  Options extends z.ZodObject,
  Needs extends FieldMap,
  Value,
  Alias extends string = string,
  Fits extends string = string,
  Ports extends PortMap = PortMap,
  As extends string = string,
  Uses extends PortMap = PortMap,
  OneOf extends string = string,
> extends FormatBase<Type, Options, Alias, Fits, Ports, As, OneOf> {
  readonly needs: Needs
  readonly uses?: Uses
  readonly fromPageAlone?: boolean
  /** True if `derive` follows `request.redactPII`, with `redact` or because it reads only redacted values. */
  readonly redacts?: boolean
  keep?(value: Awaited<Value>, context: KeepContext<z.output<Options>, Needs, Ports>): Promise<void>
  readonly onFailure?: 'fail' | 'warn'
  capture?(tab: Tab, options: z.output<Options>, signal: AbortSignal): Promise<unknown>
  readonly captureFailure?: ErrorCode
  derive(needs: ValuesOf<Needs>, context: DeriveContext<z.output<Options>, Ports, Uses>): Value | Promise<Value>
  /**
   * Returns a function that shortens the value for the document, or `undefined` if these options do not limit it. Other fields and
   * `keep` receive the whole value.
   */
  shorten?(options: z.output<Options>): Shorten<Value, DeriveContext<z.output<Options>, Ports, Uses>> | undefined
}

/** A format that exposes a field under a public name, with its value unchanged. */
export interface NamingInput<
  Type extends string,
  Options extends z.ZodObject,
  Value,
  Alias extends string = string,
  Fits extends string = string,
  As extends string = string,
  OneOf extends string = string,
> extends FormatBase<Type, Options, Alias, Fits, PortMap, As, OneOf> {
  readonly is: Field<string, Value>
  /**
   * Returns a function that shortens the value for the document, or `undefined` if these options do not limit it. Other fields and
   * `keep` receive the whole value.
   */
  shorten?(options: z.output<Options>): Shorten<Value, DeriveContext<z.output<Options>>> | undefined
  keep?(value: Awaited<Value>, context: KeepContext<z.output<Options>>): Promise<void>
}

/**
 * Defines a format for `formats`. Its options become part of the request schema, its value part of the document schema. With
 * `onFailure: 'warn'`, a failure gives a warning and no value. Throws `invalid_request` for an invalid property.
 */
export function defineFormat<
  const Type extends string,
  Needs extends FieldMap,
  Value,
  Options extends z.ZodObject = NoOptions,
  const Alias extends string = never,
  const Fits extends string = never,
  Ports extends PortMap = PortMap,
  const As extends string = Type,
  Uses extends PortMap = PortMap,
  const OneOf extends string = never,
>(
  input: FormatInput<Type, Options, Needs, Value, Alias, Fits, Ports, As, Uses, OneOf> & { readonly onFailure: 'warn' },
): Format<Type, Options, Awaited<Value> | undefined, Alias, Fits, As, OneOf>
/** Defines a format whose failure fails the scrape. Throws `invalid_request` for an invalid property. */
export function defineFormat<
  const Type extends string,
  Needs extends FieldMap,
  Value,
  Options extends z.ZodObject = NoOptions,
  const Alias extends string = never,
  const Fits extends string = never,
  Ports extends PortMap = PortMap,
  const As extends string = Type,
  Uses extends PortMap = PortMap,
  const OneOf extends string = never,
>(
  input: FormatInput<Type, Options, Needs, Value, Alias, Fits, Ports, As, Uses, OneOf>,
): Format<Type, Options, Awaited<Value>, Alias, Fits, As, OneOf>
/** Defines a format that is the value of a field (`is`). Throws `invalid_request` for an invalid property. */
export function defineFormat<
  const Type extends string,
  Value,
  Options extends z.ZodObject = NoOptions,
  const Alias extends string = never,
  const Fits extends string = never,
  const As extends string = Type,
  const OneOf extends string = never,
>(
  input: NamingInput<Type, Options, Value, Alias, Fits, As, OneOf>,
): Format<Type, Options, Value, Alias, Fits, As, OneOf>
export function defineFormat(
  input: FormatInput<string, z.ZodObject, FieldMap, unknown> | NamingInput<string, z.ZodObject, unknown>,
): Format {
  const isNaming = 'is' in input && input.is !== undefined
  checkDefinition('defineFormat', 'type', input, isNaming ? formatShape : derivedFormatShape)
  const naming = 'is' in input && {
    needs: { is: input.is },
    fromPageAlone: true,
    derive: ({ is }: { readonly is: unknown }) => is,
  }
  return Object.freeze({
    is: undefined,
    value: undefined,
    as: input.type,
    propertiesFor: undefined,
    requires: {},
    uses: {},
    requiresFor: () => [],
    follows: undefined,
    since: undefined,
    revisit: undefined,
    minTimeout: 0,
    aliases: {},
    optionsUnder: undefined,
    valueFits: undefined,
    oneOf: [],
    accompanies: [],
    group: undefined,
    isRaw: false,
    check: () => undefined,
    capture: undefined,
    captureFailure: undefined,
    onFailure: 'fail',
    keep: undefined,
    shorten: undefined,
    credits: () => 0,
    creditsAtMost: undefined,
    ...input,
    ...naming,
    name: input.type,
    options: input.options ?? noOptions,
  }) as Format
}

/** Input of `defineAction`. */
export interface ActionInput<
  Type extends string,
  Schema extends z.ZodObject,
  Returned extends ActionResult | undefined | void = ActionResult | undefined | void,
> {
  readonly type: Type
  readonly schema: Schema
  check?(options: z.output<Schema>): string | undefined
  run(tab: Tab, options: z.output<Schema>, context: ActionContext): Promise<Returned>
  waits?(options: z.output<Schema>): number
  readonly needs?: Partial<BrowserNeeds>
  readonly isRepeated?: boolean
}

/** Defines an action for `actions`. Throws `invalid_request` for an unknown, missing or invalid property. */
export function defineAction<
  const Type extends string,
  Schema extends z.ZodObject,
  const Returned extends ActionResult | undefined | void,
>(input: ActionInput<Type, Schema, Returned>): Action<Type, Schema, Extract<Returned, ActionResult>> {
  checkDefinition('defineAction', 'type', input, actionShape)
  return Object.freeze({ waits: () => 0, check: () => undefined, ...input }) as Action<
    Type,
    Schema,
    Extract<Returned, ActionResult>
  >
}

type WithDefaults = 'offers' | 'schemes' | 'accepts'

/** Input of `defineLoader`. `offers`, `schemes` and `accepts` have defaults. */
export type LoaderInput = Omit<Loader, WithDefaults> & Partial<Pick<Loader, WithDefaults>>

const webSchemes = ['http', 'https']

/** Defines a way to load a page. Throws `invalid_request` for an unknown, missing or invalid property. */
export function defineLoader(input: LoaderInput): Loader {
  checkDefinition('defineLoader', 'name', input, loaderShape)
  return Object.freeze({ offers: [], schemes: webSchemes, accepts: () => true, ...input })
}

/**
 * Defines which requests, URLs and actions are allowed. Throws `invalid_request` for an unknown, missing or invalid property.
 */
export function definePolicy(input: Policy): Policy {
  checkDefinition('definePolicy', 'name', input, policyShape)
  return Object.freeze({ ...input })
}

/**
 * Defines a gate, which admits or refuses requests and is notified of them. Throws `invalid_request` for an invalid property.
 */
export function defineGate(input: Gate): Gate {
  checkDefinition('defineGate', 'name', input, gateShape)
  return Object.freeze({ ...input })
}

/**
 * Creates the value that a loader returns for a page that it does not handle. The next loader is tried then; the reason is for
 * the error if none handles it.
 */
export function pass(reason: string): Pass {
  return { pass: reason }
}

/** Defines a parser for one family of files. Throws `invalid_request` for an unknown, missing or invalid property. */
export function defineParser(input: Parser): Parser {
  checkDefinition('defineParser', 'name', input, parserShape)
  return Object.freeze({ ...input })
}

/** Input of `definePlugin`. All parts are optional. */
export type PluginInput<
  Formats extends readonly Format[],
  Actions extends readonly Action[],
  Jobs extends readonly JobPart[],
  Features extends readonly Feature[],
> = Pick<Plugin, 'name'> & Partial<Plugin<Formats, Actions, Jobs, Features>>

/**
 * Combines parts under one name. A plugin is data: nothing runs when it is defined. Throws `invalid_request` for an unknown,
 * missing or invalid property, for a plugin without parts, and for a part that its function, such as `defineFormat`, did not
 * make.
 */
export function definePlugin<
  const Formats extends readonly Format[] = readonly [],
  const Actions extends readonly Action[] = readonly [],
  const Jobs extends readonly JobPart[] = readonly [],
  const Features extends readonly Feature[] = readonly [],
>(
  input: PluginInput<Formats, Actions, Jobs, Features>,
): Plugin<NoInfer<Formats>, NoInfer<Actions>, NoInfer<Jobs>, NoInfer<Features>> {
  checkPlugin(input)
  return Object.freeze({
    formats: [],
    actions: [],
    loaders: [],
    parsers: [],
    fields: [],
    keepers: [],
    policies: [],
    gates: [],
    jobs: [],
    features: [],
    gives: {},
    ports: undefined,
    open: undefined,
    close: undefined,
    ...input,
  }) as Plugin<Formats, Actions, Jobs, Features>
}

/** The function that creates each kind of part and a property that all of its results have, by property of a plugin. */
const makers: Readonly<Record<string, readonly [maker: string, works: string]>> = {
  formats: ['defineFormat', 'derive'],
  actions: ['defineAction', 'run'],
  loaders: ['defineLoader', 'load'],
  parsers: ['defineParser', 'parse'],
  fields: ['defineField', 'derive'],
  keepers: ['defineKeeper', 'keep'],
  policies: ['definePolicy', 'may'],
  gates: ['defineGate', 'open'],
  jobs: ['defineJob', 'way'],
  features: ['defineFeature', 'open'],
}

function checkPlugin(input: object): void {
  checkDefinition('definePlugin', 'name', input, pluginShape)
  const { name, ...parts } = input as Readonly<Record<string, unknown>>
  const who = `definePlugin: ${JSON.stringify(name)}`
  const isEmpty = Object.values(parts).every((part) => part === undefined)
  if (isEmpty) throw refused(`${who} adds nothing. Give it formats, actions, features or another part.`)
  for (const [list, [maker, works]] of Object.entries(makers)) {
    for (const part of (parts[list] ?? []) as readonly unknown[]) {
      if (typeof part === 'object' && part !== null && works in part) continue
      throw refused(
        `${who} has something in ${list} that ${maker} did not make: ${formatValue(part)}. Pass what ${maker} returns.`,
      )
    }
  }
}

function refused(message: string): EngineError {
  return new EngineError('invalid_request', message)
}
