// What requests and documents look like to a program, worked out from the formats and actions of its engine.
import type { z } from 'zod'

import type { builtInActions, builtInFormats } from './defaults.ts'
import type { Format, ValueOf } from './plugin/field.ts'
import type { Action, Plugin } from './plugin/parts.ts'
import type { pageOptions } from './schema/scrape.ts'
import type { BaseDocument } from './scrape/document.ts'

type BuiltInFormat = (typeof builtInFormats)[number]
type BuiltInAction = (typeof builtInActions)[number]

/** The formats of an engine with these plugins. */
export type FormatsOf<Plugins extends readonly Plugin[]> = BuiltInFormat | Plugins[number]['formats'][number]

/** The actions of an engine with these plugins. */
export type ActionsOf<Plugins extends readonly Plugin[]> = BuiltInAction | Plugins[number]['actions'][number]

/** A format in a request: its name, a name with a variant, or an object with its options. */
export type FormatEntry<F extends Format> = F extends Format
  ? F['type'] | `${F['type']}@${string}` | ({ readonly type: F['type'] } & Readonly<z.input<F['options']>>)
  : never

export type ActionEntry<A extends Action> = A extends Action
  ? { readonly type: A['type'] } & Readonly<z.input<A['schema']>>
  : never

type PageInput = z.input<z.ZodObject<ReturnType<typeof pageOptions>>>

/** What may be asked of an engine. */
export type ScrapeInput<F extends Format, A extends Action> = Readonly<PageInput> & {
  readonly url: string
  readonly formats?: readonly FormatEntry<F>[]
  readonly actions?: readonly ActionEntry<A>[]
}

type TypeIn<Entry> = Entry extends `${infer Type}@${string}`
  ? Type
  : Entry extends string
    ? Entry
    : Entry extends { readonly type: infer Type }
      ? Type
      : never

type Asked<Request> = Request extends { readonly formats: readonly (infer Entry)[] } ? TypeIn<Entry> : 'markdown'

/** The document that answers this very request. */
export type DocumentFor<Request, F extends Format> = BaseDocument & {
  readonly [Type in Extract<Exclude<Asked<Request>, 'metadata'>, F['type']>]: InDocument<
    ValueOf<Extract<F, { readonly type: Type }>>
  >
}

/** A file is there by its address. */
type InDocument<Value> = Value extends Uint8Array ? string : Value
