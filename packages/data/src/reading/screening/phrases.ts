// "Ignore the previous instructions" in many languages: a verb, a word such as "previous" and a noun, close to each other.
import { fold } from './fold.ts'

interface Phrase {
  readonly verbs: string
  readonly marks: string
  readonly nouns: string
}

/** Patterns are folded, so they may be written with accents. Languages without spaces need no word boundaries. */
const phrases: Readonly<Record<string, Phrase>> = {
  zh: {
    verbs: '忽略|忽视|無視|无视|忘记|忘掉|忘記|不要理会|不要遵守|跳过',
    marks: '之前|以前|以上|上述|先前|前面|所有|一切|上面',
    nouns: '指令|指示|提示词|提示詞|命令|系统提示|说明|說明',
  },
  ja: {
    verbs: '無視|忘れて|従わない|破棄して',
    marks: '以前|これまで|上記|前の|すべて|全て|先の|過去',
    nouns: '指示|命令|プロンプト|指令|インストラクション',
  },
  ko: {
    verbs: '무시|잊어|잊으|따르지',
    marks: '이전|위의|앞의|모든|지금까지|기존',
    nouns: '지시|명령|프롬프트|지침',
  },
  th: {
    verbs: 'ละเว้น|เพิกเฉย|ไม่ต้องสนใจ|ลืม|ข้าม',
    marks: 'ก่อนหน้า|ข้างต้น|ทั้งหมด|ด้านบน',
    nouns: 'คำสั่ง|คำแนะนำ|พรอมต์',
  },
  hi: {
    verbs: 'अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल जा|अनदेखी',
    marks: 'पिछले|पिछली|पहले|सभी|उपरोक्त|पूर्व',
    nouns: 'निर्देश|आदेश|हिदायत',
  },
  bn: {
    verbs: 'উপেক্ষা|ভুলে যা|অগ্রাহ্য',
    marks: 'পূর্ববর্তী|আগের|সমস্ত|সকল|উপরের',
    nouns: 'নির্দেশ|আদেশ',
  },
  ur: { verbs: 'نظر انداز|بھول جا', marks: 'پچھلی|پچھلے|سابقہ|تمام|پہلے', nouns: 'ہدایات|احکامات' },
  ar: {
    verbs: 'تجاهل|انس[ىَ]?|[أا]همل|لا تتبع',
    marks: 'السابق|[أا]علاه|جميع|كل|المذكورة',
    nouns: 'التعليمات|تعليمات|ال[أا]وامر|التوجيهات',
  },
  fa: { verbs: 'نادیده بگیر|فراموش کن', marks: 'قبلی|پیشین|بالا|همه', nouns: 'دستورالعمل|دستورات|دستورها' },
  es: {
    verbs: String.raw`\b(?:ignora|ignore|ignorad|olvida|olvide|haz caso omiso|descarta|desestima)\b`,
    marks: String.raw`\b(?:anterior(?:es)?|previ[ao]s|de arriba|precedentes)\b`,
    nouns: String.raw`\b(?:instrucciones|indicaciones|órdenes|directrices|prompts?)\b`,
  },
  fr: {
    verbs: String.raw`\b(?:ignore[zr]?|oublie[zr]?|ne (?:tiens|tenez) pas compte|fais abstraction)\b`,
    marks: String.raw`\b(?:précédente?s|antérieures|ci-dessus|toutes les)\b`,
    nouns: String.raw`\b(?:instructions|consignes|directives|invites)\b`,
  },
  pt: {
    verbs: String.raw`\b(?:ignore|ignora|esqueça|desconsidere|desconsidera)\b`,
    marks: String.raw`\b(?:anteriores|prévias|acima|todas as)\b`,
    nouns: String.raw`\b(?:instruções|comandos|diretrizes|ordens|prompts?)\b`,
  },
  it: {
    verbs: String.raw`\b(?:ignora|ignorate|ignorare|dimentica|dimenticate|non considerare)\b`,
    marks: String.raw`\b(?:precedenti|di cui sopra|tutte le)\b`,
    nouns: String.raw`\b(?:istruzioni|indicazioni|ordini|prompt)\b`,
  },
  de: {
    verbs: String.raw`\b(?:ignorier(?:e|en|t)?|vergiss|vergessen sie|missachte|beachte nicht|übergehe)\b`,
    marks: String.raw`\b(?:vorherigen?|bisherigen?|vorangegangenen|obigen|früheren|vorigen|alle)\b`,
    nouns: String.raw`\b(?:anweisungen|instruktionen|befehle|systemvorgaben|prompts?|systemprompt)\b`,
  },
  nl: {
    verbs: String.raw`\b(?:negeer|vergeet|neem geen notitie)\b`,
    marks: String.raw`\b(?:vorige|eerdere|voorgaande|bovenstaande|alle)\b`,
    nouns: String.raw`\b(?:instructies|opdrachten|aanwijzingen|prompts?)\b`,
  },
  pl: {
    verbs: String.raw`\b(?:zignoruj|ignoruj|zapomnij|pomiń)`,
    marks: String.raw`(?:poprzedni|wcześniejsz|wszystkie|powyższ)`,
    nouns: String.raw`(?:instrukcj|poleceni|poleceń|polecenia|wytyczn)`,
  },
  sv: {
    verbs: String.raw`\b(?:ignorera|glöm|bortse)\b`,
    marks: String.raw`\b(?:tidigare|föregående|ovanstående|alla)\b`,
    nouns: String.raw`\b(?:instruktioner|anvisningar|prompter)`,
  },
  tr: {
    verbs: 'yok say|görmezden gel|unut|dikkate alma',
    marks: 'önceki|yukarıdaki|tüm|bütün',
    nouns: 'talimat|yönerge|komut',
  },
  vi: {
    verbs: 'bỏ qua|phớt lờ|quên',
    marks: 'trước|ở trên|tất cả|phía trên',
    nouns: 'hướng dẫn|chỉ thị|mệnh lệnh|chỉ dẫn',
  },
  id: {
    verbs: String.raw`\b(?:abaikan|lupakan|hiraukan)\b`,
    marks: String.raw`\b(?:sebelumnya|di atas|semua|terdahulu)\b`,
    nouns: String.raw`\b(?:instruksi|perintah|petunjuk|arahan)\b`,
  },
  ru: {
    verbs: 'игнорируй|проигнорируй|забудь|не обращай внимания|пренебреги',
    marks: 'предыдущ|прежн|вышеуказанн|все |выше|ранее',
    nouns: 'инструкци|указани|команды|промпт',
  },
  uk: {
    verbs: 'ігноруй|проігноруй|забудь',
    marks: 'попередн|усі |всі |вище',
    nouns: 'інструкці|вказівк|команди',
  },
}

interface Compiled {
  readonly verbs: RegExp
  readonly marks: RegExp
  readonly nouns: RegExp
}

let compiled: readonly Compiled[] | undefined

function compile(): readonly Compiled[] {
  return Object.values(phrases).map(({ verbs, marks, nouns }) => ({
    verbs: new RegExp(foldPattern(verbs), 'gu'),
    marks: new RegExp(foldPattern(marks), 'u'),
    nouns: new RegExp(foldPattern(nouns), 'u'),
  }))
}

/** `\b` of folded patterns must also work for letters outside of ASCII. */
function foldPattern(pattern: string): string {
  return fold(pattern)
    .replaceAll(String.raw`\b(`, String.raw`(?<!\p{L})(`)
    .replaceAll(String.raw`)\b`, String.raw`)(?!\p{L})`)
}

const before = 60
const after = 70
const maxTries = 500

/** Finds the phrase in a folded string. Returns the start and end of each match, at most one per language. */
export function findPhrases(text: string): readonly (readonly [start: number, end: number])[] {
  compiled ??= compile()
  const found: (readonly [number, number])[] = []
  for (const { verbs, marks, nouns } of compiled) {
    verbs.lastIndex = 0
    let tries = 0
    for (let match = verbs.exec(text); match && tries < maxTries; match = verbs.exec(text), tries += 1) {
      const [start, end] = [sentenceStart(text, match.index), sentenceEnd(text, match.index + match[0].length)]
      const around = text.slice(start, end)
      if (!marks.test(around) || !nouns.test(around)) continue
      found.push([start, end])
      break
    }
  }
  return found
}

const stop = /[.!?。！？।۔:;]/

function sentenceStart(text: string, at: number): number {
  let start = at
  while (start > 0 && at - start < before && !stop.test(text[start - 1]!)) start -= 1
  return start
}

function sentenceEnd(text: string, at: number): number {
  let end = at
  while (end < text.length && end - at < after && !stop.test(text[end]!)) end += 1
  return end
}
