// Tables of control words.
import type { Destination } from './state.ts'

/** Characters that are written as control words. */
export const signs: Readonly<Record<string, string>> = {
  tab: '\t',
  emdash: '—',
  endash: '–',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  emspace: '\u2003',
  enspace: '\u2002',
  '~': '\u00a0',
  _: '\u2011',
  '-': '\u00ad',
}

/** Groups that are not body text. Unknown groups that begin with `\*` are skipped as well. */
export const destinations: Readonly<Record<string, Destination>> = {
  fonttbl: 'fonts',
  stylesheet: 'styles',
  info: 'info',
  listtext: 'listtext',
  pntext: 'listtext',
  fldinst: 'instruction',
  footnote: 'footnote',
  colortbl: 'skip',
  pict: 'skip',
  object: 'body',
  objdata: 'skip',
  header: 'skip',
  headerl: 'skip',
  headerr: 'skip',
  headerf: 'skip',
  footer: 'skip',
  footerl: 'skip',
  footerr: 'skip',
  footerf: 'skip',
  nonshppict: 'skip',
  nonesttables: 'skip',
  annotation: 'skip',
  atnid: 'skip',
  atnauthor: 'skip',
  xe: 'skip',
  tc: 'skip',
  bkmkstart: 'skip',
  bkmkend: 'skip',
  listtable: 'skip',
  listoverridetable: 'skip',
  revtbl: 'skip',
  rsidtbl: 'skip',
  generator: 'skip',
  themedata: 'skip',
  datastore: 'skip',
  latentstyles: 'skip',
  private1: 'skip',
  ftnsep: 'skip',
  ftnsepc: 'skip',
  aftnsep: 'skip',
  aftnsepc: 'skip',
  ftncn: 'skip',
  shpinst: 'body',
  shptxt: 'body',
  shprslt: 'skip',
  sp: 'skip',
  do: 'skip',
}

/** Control words that end a paragraph. */
export const ends: ReadonlySet<string> = new Set(['par', 'sect', 'page', 'column'])

/** Metadata entries of `info`. */
export const facts: ReadonlySet<string> = new Set([
  'title',
  'author',
  'subject',
  'keywords',
  'doccomm',
  'creatim',
  'revtim',
])
