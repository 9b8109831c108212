// Types of requests and documents for a program, worked out from the formats and actions of its engine.
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

/** Ours and theirs; one of theirs stands in place of ours of the same name. */
type Joined<Ours extends { readonly type: string }, Theirs extends { readonly type: string }> =
  | Theirs
  | (string extends Theirs['type'] ? Ours : Exclude<Ours, { readonly type: Theirs['type'] }>)

/** The formats of an engine with these plugins. */
export type FormatsOf<Plugins extends AnyPlugins> = Joined<BuiltInFormat, Plugins[number]['formats'][number]>

/** The actions of an engine with these plugins. */
export type ActionsOf<Plugins extends AnyPlugins> = Joined<BuiltInAction, Plugins[number]['actions'][number]>

/** A part in a request, as an object: its name, and its options if it has any. */
type PartObject<Type extends string, Options extends z.ZodObject> =
  Options extends z.ZodObject<infer Shape>
    ? { readonly type: Type } & (keyof Shape extends never ? unknown : Unchanging<z.input<Options>>)
    : never

type FormatObject<F extends Format> = F extends Format
  ? WithOneOf<PartObject<F['type'], F['options']>, OneOf<F>>
  : never

/** The options of which a format needs one; nothing where it needs none, or is not known. */
type OneOf<F extends Format> = string extends F['oneOf'][number] ? never : F['oneOf'][number]

type WithOneOf<Entry, Option extends string> = [Option] extends [never]
  ? Entry
  : Option extends keyof Entry
    ? Entry & { readonly [Key in Option]-?: Exclude<Entry[Key], undefined> }
    : never

/** An object without properties is an index signature to zod. */
type RequiredKeys<Type> = string extends keyof Type
  ? never
  : { [Key in keyof Type]-?: object extends Pick<Type, Key> ? never : Key }[keyof Type]

/** The name of a format, where that alone asks for something. */
type BareWord<F extends Format> = [OneOf<F> | RequiredKeys<z.input<F['options']>>] extends [never] ? F['type'] : never

/** A format in a request: its name, where it needs no options; another word for it, or an object with its options. */
export type FormatEntry<F extends Format> = F extends Format
  ? BareWord<F> | Extract<keyof F['aliases'], string> | FormatObject<F>
  : never

/** An action in a request: its type and its options. */
export type ActionEntry<A extends Action> = A extends Action ? PartObject<A['type'], A['schema']> : never

/** A type as a caller may give it: nothing in it is changed. */
export type Unchanging<Value> = unknown extends Value
  ? Value
  : Value extends SchemaOfLibrary | ((...args: never) => unknown)
    ? Value
    : Value extends object
      ? { readonly [Key in keyof Value]: Unchanging<Value[Key]> }
      : Value

type InputOf<Shape extends z.core.$ZodShape> = Unchanging<z.input<z.ZodObject<Shape>>>

/** Options of a page. `Formats` is the list as it stands in the request. */
export type PageInput<F extends Format, A extends Action, Formats = readonly FormatEntry<F>[]> = InputOf<
  ReturnType<typeof pageOptions>
> & {
  /** Formats of the document; Markdown when absent. */
  readonly formats?: (Formats & KnownEntries<Formats, F>) | undefined
  /** Actions to do on the page, in this order, before it is read. */
  readonly actions?: readonly ActionEntry<A>[] | undefined
}

/** Request for a scrape. */
export type ScrapeInput<F extends Format, A extends Action, Formats = readonly FormatEntry<F>[]> = {
  readonly url: string
} & PageInput<F, A, Formats>

/** Options for a file, and facts about it. */
export type ParseInput<F extends Format, A extends Action, Formats = readonly FormatEntry<F>[]> = Omit<
  PageInput<F, A, Formats>,
  keyof typeof fixedForFiles
> &
  Unchanging<Pick<z.input<z.ZodObject<typeof fileOptions>>, 'name' | 'contentType' | 'url'>>

/** Request for a crawl. */
export type CrawlInput<F extends Format, A extends Action, Formats = readonly FormatEntry<F>[]> = InputOf<
  ReturnType<typeof crawlOptions>
> & {
  /** The options of each page. */
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
  /** The options of the page of each result. Without formats, no page is scraped. */
  readonly scrapeOptions?: PageInput<F, A, Formats> | undefined
}

/** Request for a map. */
export type MapInput = InputOf<ReturnType<typeof mapOptions>>

// A list whose type is inferred takes any object with the right keys and more. These find what is too much.
declare const noSuchOption: unique symbol

/** Marks an unknown option by its name in a message of the compiler. */
export interface NoSuchOption<Name> {
  readonly [noSuchOption]: Name
}

export type KnownEntries<Formats, F extends Format> = {
  readonly [Index in keyof Formats]: KnownEntry<Formats[Index], F>
}

type KnownEntry<Entry, F extends Format> = Entry extends { readonly type: infer Type }
  ? Entry extends Known<Entry, Extract<FormatObject<F>, { readonly type: Type }>>
    ? unknown
    : Known<Entry, Extract<FormatObject<F>, { readonly type: Type }>>
  : unknown

/** Finds the properties of a value that its type has no name for, at any depth. */
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

/** `NonNullable<unknown>` would be an object without properties. */
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

/** The formats that are there whatever happens at run time: the list is a literal, and this entry can be only one. */
type SureIn<Formats extends readonly unknown[], F extends Format> = number extends Formats['length']
  ? never
  : {
      [Index in keyof Formats]: true extends IsUnion<TypeIn<Formats[Index], F>> ? never : TypeIn<Formats[Index], F>
    }[number]

type Asked<Formats extends readonly unknown[], F extends Format> = Exclude<TypeIn<Formats[number], F>, 'metadata'>

/** A file is there by its address. */
type InDocument<Value> = Value extends Uint8Array ? string : Value

/** Value of a format for this entry of a request. */
type ValueFor<F extends Format, Entry> = F extends Format
  ? [SchemaAt<Entry, NonNullable<F['valueFits']>>] extends [SchemaOfLibrary<infer Output>]
    ? Output
    : InDocument<ValueOf<F>>
  : never

/** The schema that stands in an entry under this option; null when there is none. */
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

/** Results of the actions of an engine, by kind. */
type Brought<A extends Action> = A extends { readonly run: (...args: never) => Promise<infer Result> }
  ? NonNullable<Result>
  : never

export type ActionResults<A extends Action> = string extends Brought<A>['into']
  ? NonNullable<BaseDocument['actions']>
  : {
      readonly [Into in Brought<A>['into']]?: readonly InDocument<
        Extract<Brought<A>, { readonly into: Into }>['value']
      >[]
    }

/** The document that answers a request for these formats. Those that are not sure to be asked for may be absent. */
export type DocumentFor<Formats extends readonly unknown[], F extends Format, A extends Action> = [Formats] extends [
  never,
]
  ? DocumentFor<readonly ['markdown'], F, A>
  : Flat<
      Omit<BaseDocument, 'actions'> & { readonly actions?: ActionResults<A> } & {
        readonly [Type in Extract<SureIn<Formats, F>, Asked<Formats, F>> & string as NameOf<F, Type>]: ValueIn<
          Formats,
          F,
          Type
        >
      } & {
        readonly [Type in Exclude<Asked<Formats, F>, SureIn<Formats, F>> & string as NameOf<F, Type>]?: ValueIn<
          Formats,
          F,
          Type
        >
      }
    >

/** The name of a format's value in the document. */
type NameOf<F extends Format, Type> = Extract<F, { readonly type: Type }>['as']

type Flat<Type> = { [Key in keyof Type]: Type[Key] }
