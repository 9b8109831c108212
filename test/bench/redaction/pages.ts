// Pages with known personal data, in the notations of ten countries, and with numbers that are not personal.
import {
  isCodiceFiscale,
  isDni,
  isGermanTaxId,
  isIban,
  isLuhn,
  isNir,
  isPesel,
  isBsn,
  isCpf,
} from '../../../packages/core/src/redact/checks.ts'
import type { FoundEntity } from '../../../packages/core/src/redact/redact.ts'

export interface Known {
  readonly entity: FoundEntity
  readonly text: string
}

export interface KnownPage {
  readonly text: string
  readonly known: readonly (Known & { readonly start: number })[]
}

/** Returns a generator of whole numbers below a limit, the same for the same seed. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

interface Dice {
  readonly below: (limit: number) => number
  /** Replaces `#` by a digit, `§` by one from 2 to 9 and `@` by a letter. */
  readonly fill: (pattern: string) => string
  readonly one: <Item>(items: readonly Item[]) => Item
  /** Repeats until a check passes. */
  readonly until: (make: () => string, isRight: (text: string) => boolean) => string
}

function diceOf(seed: number): Dice {
  const below = random(seed)
  const fill = (pattern: string) =>
    pattern.replaceAll(/[#§@]/g, (sign) =>
      sign === '@' ? String.fromCharCode(65 + below(26)) : String(sign === '§' ? 2 + below(8) : below(10)),
    )
  const one = <Item>(items: readonly Item[]) => items[below(items.length)] as Item
  const until = (make: () => string, isRight: (text: string) => boolean): string => {
    for (;;) {
      const text = make()
      if (isRight(text.replaceAll(/[ .-]/g, ''))) return text
    }
  }
  return { below, fill, one, until }
}

interface Country {
  readonly phones: readonly string[]
  readonly labels: readonly string[]
  readonly iban?: string
  readonly id: (dice: Dice) => string
  readonly names: readonly string[]
  readonly domain: string
}

const short = ({ below }: Dice) =>
  `${String(40 + below(59))}${String(1 + below(12)).padStart(2, '0')}${String(1 + below(28)).padStart(2, '0')}`

const countries: readonly Country[] = [
  {
    phones: ['(§##) §##-####', '§##-§##-####', '+1 §## §## ####', '1-800-§##-####', '§##.§##.####'],
    labels: ['Phone: ', 'Call ', 'Fax: ', ''],
    id: ({ fill, below }) => `${String(100 + below(560))}-${fill('4#-§###')}`,
    names: ['mary.jones', 'j_smith', 'bob'],
    domain: 'example-store.com',
  },
  {
    phones: ['020 7### ####', '+44 20 7### ####', '07### ######', '01### ######', '+44 (0)161 ### ####'],
    labels: ['Tel: ', 'Telephone ', 'Mobile: ', ''],
    iban: 'GB##NWBK##############',
    id: ({ fill, one }) => `${one(['AB', 'CE', 'JG', 'SK'])} ${fill('## ## ##')} ${one(['A', 'B', 'C', 'D'])}`,
    names: ['alice.brown', 'office', 'k-green'],
    domain: 'bakery.co.uk',
  },
  {
    phones: ['030 §#######', '089/§#####', '0171-§######', '+49 40 §#####-0', '(0221) §######', '+49 (0) 711 / §#####'],
    labels: ['Telefon: ', 'Tel. ', 'Fax: ', 'Rufnummer: ', ''],
    iban: 'DE####################',
    id: ({ fill, until }) => `Steuer-ID: ${until(() => fill('§# ### ### ###'), isGermanTaxId)}`,
    names: ['jürgen.weber', 'info', 'm.schulz'],
    domain: 'muster-werk.de',
  },
  {
    phones: ['01 ## ## ## ##', '06 ## ## ## ##', '+33 1 ## ## ## ##', '04.##.##.##.##', '+33 (0)6 ## ## ## ##'],
    labels: ['Tél. : ', 'Téléphone : ', 'Portable : ', ''],
    iban: 'FR#########################',
    id: ({ fill, below, one }) => {
      const head = `${one(['1', '2'])}${fill('##')}${String(1 + below(12)).padStart(2, '0')}${String(10 + below(80))}${fill('######')}`
      const key = Array.from({ length: 97 }, (_, index) => String(index + 1).padStart(2, '0')).find((part) =>
        isNir(head + part),
      )
      return `${head.slice(0, 1)} ${head.slice(1, 3)} ${head.slice(3, 5)} ${head.slice(5, 7)} ${head.slice(7, 10)} ${head.slice(10)} ${key ?? ''}`
    },
    names: ['claire.dupont', 'contact', 'p.martin'],
    domain: 'atelier-sud.fr',
  },
  {
    phones: ['91 ### ## ##', '6## ### ###', '+34 9## ### ###', '+34 6## ## ## ##'],
    labels: ['Teléfono: ', 'Tel: ', 'Móvil: ', 'Teléfono de contacto: '],
    iban: 'ES######################',
    id: ({ fill, until }) => until(() => fill('########@'), isDni),
    names: ['carmen.ruiz', 'hola', 'jose-luis'],
    domain: 'tienda.es',
  },
  {
    phones: ['02 #######', '06 ########', '+39 06 ########', '347 #######', '+39 3## #######', '0#1-#######'],
    labels: ['Telefono: ', 'Tel. ', 'Cellulare: ', ''],
    iban: 'IT##@######################',
    id: ({ fill, until, one }) =>
      until(() => `${fill('@@@@@@##')}${one(['A', 'B', 'H', 'T'])}${fill('1#@###@')}`, isCodiceFiscale),
    names: ['giulia.rossi', 'segreteria', 'l.bianchi'],
    domain: 'officina.it',
  },
  {
    phones: ['020-#######', '06-########', '+31 6 ########', '+31 (0)20 ### ####', '010 - ### ## ##'],
    labels: ['Telefoon: ', 'Tel: ', 'Bel ', ''],
    iban: 'NL##INGB##########',
    id: ({ fill, until }) => `BSN: ${until(() => fill('1########'), isBsn)}`,
    names: ['sanne.devries', 'info', 'j.bakker'],
    domain: 'fietsen.nl',
  },
  {
    phones: ['22 ### ## ##', '6## ### ###', '+48 22 ### ## ##', '+48 6## ### ###'],
    labels: ['Telefon: ', 'tel. ', 'kom. ', 'Tel./fax: '],
    iban: 'PL##########################',
    id: (dice) => `PESEL ${dice.until(() => `${short(dice)}${dice.fill('#####')}`, isPesel)}`,
    names: ['anna.nowak', 'biuro', 'p.kowalski'],
    domain: 'sklep.com.pl',
  },
  {
    phones: ['08-### ### ##', '070-### ## ##', '+46 8 ### ### ##', '+46 70 ### ## ##', '031-## ## ##'],
    labels: ['Telefon: ', 'Tel: ', 'Mobil: ', ''],
    iban: 'SE######################',
    id: (dice) => dice.until(() => `${short(dice)}-${dice.fill('####')}`, isLuhn),
    names: ['erik.larsson', 'kundservice', 'åsa'],
    domain: 'butik.se',
  },
  {
    phones: ['(11) 9####-####', '(21) 3###-####', '+55 11 9####-####', '+55 (31) 3###-####'],
    labels: ['Telefone: ', 'WhatsApp: ', 'Celular: ', ''],
    iban: 'BR#########################@1',
    id: ({ fill, until }) => until(() => fill('###.###.###-##'), isCpf),
    names: ['joao.silva', 'vendas', 'ana-lima'],
    domain: 'loja.com.br',
  },
]

/** Gives a pattern of an IBAN its check digits, and writes it in groups or without. */
function ibanOf(pattern: string, { fill, one }: Dice): string {
  const text = fill(pattern)
  const whole = Array.from(
    { length: 97 },
    (_, index) => text.slice(0, 2) + String(index + 2).padStart(2, '0') + text.slice(4),
  ).find(isIban)
  return one([whole ?? '', (whole ?? '').replaceAll(/(.{4})(?=.)/g, '$1 ')])
}

function cardOf({ fill, one, until }: Dice): string {
  const notation = one([
    '4###############',
    '5#1# #### #### ####',
    '4### #### #### ####',
    '37## ###### #####',
    '5#1#-####-####-####',
  ])
  return until(() => fill(notation).replace(/^5\d/, '52'), isLuhn)
}

function secretOf({ below, one }: Dice): readonly [label: string, secret: string] {
  const signs = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
  const text = (length: number) => Array.from({ length }, () => signs[below(signs.length)]).join('')
  return one([
    ['password: ', `${text(9)}7!`],
    ['Passwort: ', `${text(8)}4x`],
    ['Use the key ', `AKIA${text(15).toUpperCase()}7`],
    ['token ', `ghp_${text(35)}5a`],
    ['API_KEY=', `${text(30)}1b`],
    ['Authorization: Bearer ', `eyJ${text(20)}.eyJ${text(40)}.${text(30)}1`],
    ['STRIPE ', `sk_live_${text(23)}3`],
    ['Set OPENAI to ', `sk-proj-${text(40)}2`],
    ['Google ', `AIza${text(34)}9`],
  ])
}

/** Numbers that are not personal data. */
const decoys: readonly string[] = [
  'Order number 1##-4##5-####',
  'Bestellnummer: 0##########',
  'ISBN 978-3-16-1#####-#',
  'ISBN: 0-306-4####-2',
  'Published on 12.05.2023 at 14:30.',
  '2019-05-1# 10:2#:3#',
  'from 2015 - 2023',
  'It costs 1,2##,###.50 EUR.',
  'EAN 40########### in stock',
  'Version 10.4.1##.2##',
  'Coordinates: 52.5#####, 13.4#####',
  'doi:10.1000/1##.####.#####',
  'Tracking 1Z999AA1012345####',
  'uuid 3f2504e0-4f89-11d3-9a0c-0305e82c3###',
  'commit 9fceb02d0ae598e95dc970b74767f19372d61af#',
  'https://example.com/p/1234567####/2023-04-05',
  '![shot](/img/photo@2x.png)',
  'Population: 83 200 ### people',
  'The pattern `password: string` is a type.',
  'Model 0#1-4##-XL',
  'Invoice 2023-00##-####',
  'Scores: 12 14 17 19 23 25 31',
  'Installed 4 ### ### times since 2012.',
]

/** Makes pages by rule, the same for the same seed. */
export function makePages(count: number, seed: number): readonly KnownPage[] {
  return Array.from({ length: count }, (_, index) =>
    makePage(diceOf(seed * 100_003 + index * 7_919), countries[index % countries.length] as Country),
  )
}

function makePage(dice: Dice, country: Country): KnownPage {
  const { one, fill, below } = dice
  const parts: (string | Known)[] = ['# About us\n\n']
  const add = (before: string, entity: FoundEntity, text: string, after = '\n\n') =>
    void parts.push(before, { entity, text }, after)
  const adders: readonly (() => void)[] = [
    () => add(one(country.labels), 'PHONE', fill(one(country.phones))),
    () => add(`- ${one(country.labels)}`, 'PHONE', fill(one(country.phones)), '\n'),
    () => add('| Service | ', 'PHONE', fill(one(country.phones)), ' | Mon - Fri 9:00 - 17:00 |\n'),
    () => {
      const email = `${one(country.names)}${below(2) === 0 ? String(below(90)) : ''}@${country.domain}`
      if (below(2) === 0) return add('Write to ', 'EMAIL', email, '.\n\n')
      add('Mail: [', 'EMAIL', email, '](')
      add('mailto:', 'EMAIL', email, ')\n\n')
    },
    () => add('or to ', 'EMAIL', `${one(['team', 'sales', 'presse'])} [at] ${country.domain}`),
    () =>
      add(
        one(['IBAN: ', 'Bank: ', 'Account ']),
        'FINANCIAL',
        country.iban === undefined ? cardOf(dice) : ibanOf(country.iban, dice),
      ),
    () => add(one(['Card ', 'paid with ', 'Kreditkarte: ']), 'FINANCIAL', cardOf(dice), ', thank you.\n\n'),
    () => {
      const id = country.id(dice)
      const label = /^[\w-]+:? (?=\d)/.exec(/^(?:Steuer|BSN|PESEL)/.test(id) ? id : '')?.[0] ?? ''
      add(`${one(['', 'Owner, '])}${label}`, 'FINANCIAL', id.slice(label.length))
    },
    () => {
      const [label, secret] = secretOf(dice)
      add(label, 'SECRET', secret)
    },
  ]
  for (const adder of adders) {
    for (let times = 1 + below(2); times > 0; times -= 1) parts.push(fill(one(decoys)), '\n\n')
    adder()
  }
  let text = ''
  const known: KnownPage['known'][number][] = []
  for (const part of parts) {
    if (typeof part !== 'string') known.push({ ...part, start: text.length })
    text += typeof part === 'string' ? part : part.text
  }
  return { text, known }
}
