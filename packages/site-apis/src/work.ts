// The work on responses of sites, which can be slow for any input, so it runs in threads.
import { draftsOf } from './drafts.ts'
import { readHar } from './har.ts'
import { countShown, findLists, shownIn } from './items.ts'
import { pagingOf } from './paging.ts'
import type { Item } from './recipe.ts'
import { readPage } from './read-page.ts'
import { shownText } from './shown-text.ts'
import { tokenIn, type TextAround } from './tokens.ts'

const works = {
  findLists,
  draftsOf,
  pagingOf,
  readHar,
  readPage,
  shownText,
  findToken: ({ text, place }: { readonly text: string; readonly place: TextAround }) => tokenIn(text, place),
  countShown: ({ items, shown }: { readonly items: readonly Item[]; readonly shown: string }) =>
    countShown(items, shownIn(shown)),
}

type Works = typeof works

/** Name of a function that runs in a thread. */
export type WorkName = keyof Works

/** The input of a function that runs in a thread. */
export type WorkInput<Name extends WorkName> = Parameters<Works[Name]>[0]

/** The result of a function that runs in a thread. */
export type WorkResult<Name extends WorkName> = ReturnType<Works[Name]>

/** A call of a function in a thread. */
export interface WorkTask {
  readonly name: WorkName
  readonly input: unknown
}

/** Runs work. Rejects with `page_too_complex` above a limit of time or memory. */
export type Work = <Name extends WorkName>(name: Name, input: WorkInput<Name>) => Promise<WorkResult<Name>>

/** Runs a task on this thread. */
export function runWork({ name, input }: WorkTask): unknown {
  // Cast: `Work` accepts only the input of the function with this name.
  const work = works[name] as (input: unknown) => unknown
  return work(input)
}
