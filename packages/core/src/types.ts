// Types of requests and documents, inferred from the formats and actions of an engine.
import type { z } from 'zod'

import type { builtInActions, builtInFormats } from './defaults.ts'
import type { Format, ValueOf } from './plugin/field.ts'
import type { Action } from './plugin/action.ts'
import type { Plugin } from './plugin/parts.ts'
import type { batchOptions } from './schema/batch.ts'
import type { crawlOptions } from './schema/crawl.ts'
import type { fileOptions, fixedForFiles } from './schema/file.ts'
import type { SchemaOfLibrary } from './schema/json-schema.ts'
import type { mapOptions } from './schema/map.ts'
import type { pageOptions } from './schema/scrape.ts'
import type { searchOptions } from './schema/search.ts'
import type { BaseDocument } from './scrape/document.ts'

type BuiltInFormat = (typeof builtInFormats)[number]
type BuiltInAction = (typeof builtInActions)[number]
type AnyPlugins = readonly Plugin[]

/** Built-in parts and parts of plugins. A part of a plugin replaces the built-in part of the same name. */
type Joined<Ours extends { readonly type: string }, Theirs extends { readonly type: string }> =
  | Theirs
  | (string extends Theirs['type'] ? Ours : Exclude<Ours, { readonly type: Theirs['type'] }>)

/** Formats of an engine with these plugins. */
export type FormatsOf<Plugins extends AnyPlugins> = Joined<BuiltInFormat, Plugins[number]['formats'][number]>

/** Actions of an engine with these plugins. */
export type ActionsOf<Plugins extends AnyPlugins> = Joined<BuiltInAction, Plugins[number]['actions'][number]>

/** A format or an action in a request, as an object with its type and its options. */
type PartObject<Type extends string, Options extends z.ZodObject> =
  Options extends z.ZodObject<infer Shape>
    ? { readonly type: Type } & (keyof Shape extends never ? unknown : Unchanging<z.input<Options>>)
    : never

type FormatObject<F extends Format> = F extends Format
  ? WithOneOf<PartObject<F['type'], F['options']>, OneOf<F>>
  : never

/** Options of a format of which at least one is required; `never` if there are none or they are unknown. */
type OneOf<F extends Format> = string extends F['oneOf'][number] ? never : F['oneOf'][number]

type WithOneOf<Entry, Option extends string> = [Option] extends [never]
  ? Entry
  : Option extends keyof Entry
    ? Entry & { readonly [Key in Option]-?: Exclude<Entry[Key], undefined> }
    : never

/** Names of required properties. For an object without properties, zod infers an index signature, so the result is `never`. */
type RequiredKeys<Type> = string extends keyof Type
  ? never
  : { [Key in keyof Type]-?: object extends Pick<Type, Key> ? never : Key }[keyof Type]

/** Name of a format that has no required options, so that the name alone is a valid entry. */
type BareWord<F extends Format> = [OneOf<F> | RequiredKeys<z.input<F['options']>>] extends [never] ? F['type'] : never

/** A format in a request: its name if it needs no options, an alias, or an object with its options. */
export type FormatEntry<F extends Format> = F extends Format
  ? BareWord<F> | Extract<keyof F['aliases'], string> | FormatObject<F>
  : never

/** An action in a request: its type and its options. */
export type ActionEntry<A extends Action> = A extends Action ? PartObject<A['type'], A['schema']> : never

/** A deeply readonly version of a type. */
export type Unchanging<Value> = unknown extends Value
  ? Value
  : Value extends SchemaOfLibrary | ((...args: never) => unknown)
    ? Value
    : Value extends object
      ? { readonly [Key in keyof Value]: Unchanging<Value[Key]> }
      : Value

type InputOf<Shape extends z.core.$ZodShape> = Unchanging<z.input<z.ZodObject<Shape>>>

/** Options of a page. `Formats` is the type of the list in the request. */
export type PageInput<F extends Format, A extends Action, Formats = readonly FormatEntry<F>[]> = InputOf<
  ReturnType<typeof pageOptions>
> & {
  /** Formats of the document. Default: Markdown. */
  readonly formats?: (Formats & KnownEntries<Formats, F>) | undefined
  /** Actions to run on the page before it is read, in this order. */
  readonly actions?: readonly ActionEntry<A>[] | undefined
}

/** Request for a scrape. */
export type ScrapeInput<F extends Format, A extends Action, Formats = readonly FormatEntry<F>[]> = {
  readonly url: string
} & PageInput<F, A, Formats>

/** Options for parsing a file, and its name, type and URL. */
export type ParseInput<F extends Format, A extends Action, Formats = readonly FormatEntry<F>[]> = Omit<
  PageInput<F, A, Formats>,
  keyof typeof fixedForFiles
> &
  Unchanging<Pick<z.input<z.ZodObject<typeof fileOptions>>, 'name' | 'contentType' | 'url'>>

/** Request for a crawl. */
export type CrawlInput<F extends Format, A extends Action, Formats = readonly FormatEntry<F>[]> = InputOf<
  ReturnType<typeof crawlOptions>
> & {
  /** Options of each page. */
  readonly scrapeOptions?: PageInput<F, A, Formats> | undefined
}

/** Request for a batch. */
export type BatchInput<F extends Format, A extends Action, Formats = readonly FormatEntry<F>[]> = InputOf<
  typeof batchOptions
> &
  PageInput<F, A, Formats>

/** Request for a search. */
export type SearchInput<F extends Format, A extends Action, Formats = readonly FormatEntry<F>[]> = InputOf<
  ReturnType<typeof searchOptions>
> & {
  /** Options for the page of each result. Without formats, no page is scraped. */
  readonly scrapeOptions?: PageInput<F, A, Formats> | undefined
}

/** Request for a map. */
export type MapInput = InputOf<ReturnType<typeof mapOptions>>

// TypeScript does not check excess properties in a list whose type is inferred. These types find unknown options.
declare const noSuchOption: unique symbol

/** Names an unknown option in the compiler's error message. */
export interface NoSuchOption<Name> {
  readonly [noSuchOption]: Name
}

/** Type error for each unknown option in a list of formats; `unknown` for valid entries. */
export type KnownEntries<Formats, F extends Format> = {
  readonly [Index in keyof Formats]: KnownEntry<Formats[Index], F>
}

type KnownEntry<Entry, F extends Format> = Entry extends { readonly type: infer Type }
  ? Entry extends Known<Entry, Extract<FormatObject<F>, { readonly type: Type }>>
    ? unknown
    : Known<Entry, Extract<FormatObject<F>, { readonly type: Type }>>
  : unknown

/** Maps properties that the wanted type does not have to `NoSuchOption`, at any depth. */
export type Known<Given, Wanted> = unknown extends Wanted
  ? unknown
  : Given extends SchemaOfLibrary | ((...args: never) => unknown)
    ? unknown
    : Given extends readonly unknown[]
      ? {
          readonly [Index in keyof Given]: Known<Given[Index], Wanted extends readonly (infer Item)[] ? Item : unknown>
        }
      : Given extends object
        ? {
            readonly [Key in keyof Given]: Key extends KeyOf<Wanted>
              ? Known<Given[Key], PropertyOf<Wanted, Key>>
              : NoSuchOption<Key>
          }
        : unknown

type KeyOf<Type> = Type extends unknown ? keyof Type : never
type PropertyOf<Type, Key> = Type extends unknown ? (Key extends keyof Type ? Present<Type[Key]> : never) : never

/** `NonNullable` that leaves `unknown` unchanged; `NonNullable<unknown>` would be `{}`. */
type Present<Type> = unknown extends Type ? Type : NonNullable<Type>

type TypeIn<Entry, F extends Format> = Entry extends { readonly type: infer Type }
  ? Type
  : Entry extends F['type']
    ? Entry
    : TypeOfAlias<Entry, F>

type TypeOfAlias<Entry, F extends Format> = F extends Format
  ? Entry extends keyof F['aliases']
    ? F['type']
    : never
  : never

type IsUnion<Type, Each = Type> = Each extends unknown ? ([Type] extends [Each] ? false : true) : never

/** Formats that are certain to be in the document: the list is a literal, and the entry can be only one format. */
type SureIn<Formats extends readonly unknown[], F extends Format> = number extends Formats['length']
  ? never
  : {
      [Index in keyof Formats]: true extends IsUnion<TypeIn<Formats[Index], F>> ? never : TypeIn<Formats[Index], F>
    }[number]

type RequestedFormats<Formats extends readonly unknown[], F extends Format> = Exclude<
  TypeIn<Formats[number], F>,
  'metadata'
>

/** Type of a value in the document. Files are represented by their URL. */
type InDocument<Value> = Value extends Uint8Array ? string : Value

/** Type of a format's value for this entry of a request. */
type ValueFor<F extends Format, Entry> = F extends Format
  ? [SchemaAt<Entry, NonNullable<F['valueFits']>>] extends [SchemaOfLibrary<infer Output>]
    ? Output
    : InDocument<ValueOf<F>>
  : never

/** Type of the library schema under this option of an entry; `null` if there is none. */
type SchemaAt<Entry, Option extends string> = [Option] extends [never]
  ? null
  : [Entry] extends [never]
    ? null
    : Entry extends { readonly [Key in Option]: infer Schema extends SchemaOfLibrary }
      ? Schema
      : null

type ValueIn<Formats extends readonly unknown[], F extends Format, Type> = ValueFor<
  Extract<F, { readonly type: Type }>,
  Extract<Formats[number], { readonly type: Type }>
>

/** Results of an engine's actions. */
type Brought<A extends Action> = A extends { readonly run: (...args: never) => Promise<infer Result> }
  ? NonNullable<Result>
  : never

/** Type of the `actions` property of a document. */
export type ActionResults<A extends Action> = string extends Brought<A>['into']
  ? NonNullable<BaseDocument['actions']>
  : {
      readonly [Into in Brought<A>['into']]?: readonly InDocument<
        Extract<Brought<A>, { readonly into: Into }>['value']
      >[]
    }

/** Document for a request with these formats. Formats that are not certain to be requested are optional. */
export type DocumentFor<Formats extends readonly unknown[], F extends Format, A extends Action> = [Formats] extends [
  never,
]
  ? DocumentFor<readonly ['markdown'], F, A>
  : Flat<
      Omit<BaseDocument, 'actions'> & { readonly actions?: ActionResults<A> } & {
        readonly [
          Type in Extract<SureIn<Formats, F>, RequestedFormats<Formats, F>> & string as NameOf<F, Type>
        ]: ValueIn<Formats, F, Type>
      } & {
        readonly [
          Type in Exclude<RequestedFormats<Formats, F>, SureIn<Formats, F>> & string as NameOf<F, Type>
        ]?: ValueIn<Formats, F, Type>
      }
    >

/** Property of a format's value in the document. */
type NameOf<F extends Format, Type> = Extract<F, { readonly type: Type }>['as']

type Flat<Type> = { [Key in keyof Type]: Type[Key] }
