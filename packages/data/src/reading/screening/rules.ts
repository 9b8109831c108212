// Rules that find instructions to a language model in folded text.
import { lettersOf } from './fold.ts'
import { findPhrases } from './phrases.ts'

/** Kinds of instructions. */
export type InjectionKind =
  /** Instructions to ignore earlier ones. */
  | 'override'
  /** An instruction that addresses a model. */
  | 'address'
  /** Markup of a chat, such as `<|im_start|>` or `[INST]`. */
  | 'role'
  /** A call of a tool. */
  | 'tool'
  /** A request for the system prompt. */
  | 'prompt'
  /** A new role for the model. */
  | 'persona'
  /** A request to send content of the conversation somewhere. */
  | 'exfiltration'
  /** An instruction about the response of the model. Only in text that visitors do not see. */
  | 'steering'
  /** Text in invisible characters. */
  | 'characters'

interface Rule {
  readonly kind: InjectionKind
  readonly pattern: RegExp
  /** True to apply the rule only to text that visitors do not see. */
  readonly isWeak?: boolean
  /** True if documentation shows such text in code blocks. */
  readonly isSyntax?: boolean
}

const gap = (most: number): string => String.raw`[^.!?\n]{0,${most}}?`
const model = String.raw`(?:an? |the |any )?(?:ai|a\.i\.|llm|large language model|language model|chatbot|chat ?gpt|gpt|claude|gemini|copilot|ai[ -]?(?:agent|assistant|model|system|crawler|reader|summari[sz]er|reviewer|bot)|autonomous agent|virtual assistant|assistant)s?`
const duty =
  "(?:you (?:must|should|shall|will|have to|are required|are instructed|need to)|must|do not|don't|never|always|ignore|disregard|forget|reveal|" +
  'instead|send|include|recommend|say|respond|reply|output|print|visit|click|open|follow|call|run|execute|forward|e-?mail|transfer|buy|' +
  'rate|approve|stop|summari[sz]e|state|insert|append|add|mention|tell|write|repeat|end every)'
const talk =
  '(?:(?:this |the |our |entire |whole |full )*(?:conversation|chat (?:history|log)|dialogue|system prompt|previous messages|context window|memory)|' +
  "(?:the )?user'?s? (?:data|inputs?|messages?|e-?mails?|names?|quer(?:y|ies)|questions?|passwords?|credentials|api keys?|secrets?|files?|personal (?:data|information)|credit card))"
const carrier = String.raw`(?:url|link|image|query|parameter|https?:|get request|post request|webhook|markdown|endpoint)`

const rule = (kind: InjectionKind, source: string, more: Omit<Rule, 'kind' | 'pattern'> = {}): Rule => ({
  kind,
  // Words may be in elements of their own, on separate lines.
  pattern: new RegExp(source.replaceAll(' ', String.raw`\s`), 'gu'),
  ...more,
})

let rules: readonly Rule[] | undefined

// oxlint-disable-next-line max-lines-per-function -- a table
function makeRules(): readonly Rule[] {
  const weak = { isWeak: true }
  const syntax = { isSyntax: true }
  return [
    rule(
      'override',
      String.raw`\b(?:ignore|disregard|forget|override|bypass|overrule|discard|neglect|pay no attention to|(?:do not|don't|stop) (?:follow|obey|comply with)(?:ing)?)\s+(?:[^\s.!?]+\s+){0,3}?(?:previous|prior|above|earlier|preceding|foregoing|former|initial|original)\s+(?:[^\s.!?]+\s+){0,3}?(?:instructions?|prompts?|directions?|directives?|guidelines|commands?|rules|orders|programming|messages|context)\b`,
    ),
    rule(
      'override',
      String.raw`\b(?:ignore|disregard|override|bypass|overrule|forget)\s+(?:all|any|every|your|the|these|those)\s+(?:[^\s.!?]+\s+){0,2}?(?:(?:system |safety )?instructions|system prompts?|prompts?|programming|system messages?|guardrails|safety (?:rules|guidelines|filters))\b(?:\s+(?:above|before|so far|you|given|and|instead)|\s*[.!,;:]|\s*$)`,
    ),
    rule(
      'override',
      String.raw`\b(?:forget|ignore|disregard) everything (?:above|before|you (?:were|have been) told|i said|that came before)\b`,
    ),
    rule(
      'override',
      String.raw`\b(?:system|admin(?:istrator)?|developer|instruction) override\b${gap(40)}(?:[:!]|instruct|command|ignore|follow)`,
    ),
    rule(
      'override',
      String.raw`\b(?:your|the) (?:new|real|actual|true|updated) (?:instructions?|task|objective|goal) (?:is|are) (?:to|as follows|now)\b`,
      weak,
    ),
    rule('override', String.raw`\bnew (?:instructions?|task|objective|system prompt)\s*:`, weak),
    rule(
      'address',
      String.raw`\b(?:if|as|since|when|because|in case|note that|attention[:,]?)\s+(?:you are|you're|you)\s+(?:reading (?:this )?as )?${model}\b[^.!?]{0,120}?\b${duty}\b`,
    ),
    rule(
      'address',
      String.raw`(?:^|[\n.!?:(>"*#-])\s*(?:dear|attention|note to|notice to|message (?:to|for)|instructions? (?:to|for)|important (?:for|note for)|to (?:all|any)|hey|hello)[:,]?\s+(?:all |any |the |every )?${model}(?! (?:users|teams|engineers|developers|companies))\b(?: (?:reading|processing|summari[sz]ing|that reads?|who reads?)[^.\n]{0,60})?\s*[:,.!-]${gap(30)}[^\n]{0,160}?\b${duty}\b`,
    ),
    rule(
      'address',
      String.raw`(?:^|[\n.!?:(>"*#-])\s*(?:ai|llm|ai[ -]?(?:assistants?|agents?|models?|crawlers?)|language models?|assistant)\s*[:,]\s*(?:please |you must |now |from now on |do not |always |never |ignore |when )`,
      weak,
    ),
    rule(
      'address',
      String.raw`\b${model} (?:reading|processing|summari[sz]ing|parsing|visiting) this (?:page|text|document|site|website)?${gap(60)}\b(?:must|should|shall|please|is required|are required|do not|always)\b`,
    ),
    rule(
      'role',
      String.raw`<\|(?:im_start|im_end|im_sep|system|user|assistant|end|endoftext|endofprompt|start_header_id|end_header_id|eot_id|begin_of_text|python_tag)\|>`,
      syntax,
    ),
    rule('role', String.raw`\[\/?inst\]|<<\/?sys>>|<start_of_turn>|<end_of_turn>`, syntax),
    rule(
      'role',
      String.raw`(?:^|\n)\s*#{2,}\s*(?:system|instructions?|new instructions?|assistant|system prompt)\s*:${gap(120)}\b(?:you|ignore|must|do not|reveal|always|now)\b`,
    ),
    rule(
      'role',
      String.raw`(?:^|[\n>\])}])\s*\W{0,3}(?:system|system message|system note|system prompt)\s*[:\]>]\s*${gap(80)}\b(?:you are|you must|ignore|from now on|disregard|reveal|do not|override|assistant|open|visit|send|read|run|confirm)\b`,
    ),
    rule('role', String.raw`(?:^|\n)\s*(?:user|human)\s*:[^\n]{1,300}\n+\s*(?:assistant|ai)\s*:`, weak),
    rule('role', String.raw`(?:^|\n)\s*(?:assistant)\s*:\s*\S`, weak),
    rule(
      'role',
      String.raw`<\/?(?:system|assistant|user_query|system_prompt|instructions?|page-content|found|page|tool_result|function_results|untrusted[a-z_-]*|document|context)>${gap(100)}\b(?:system|instruction|user|task|ignore|you must|new)\b`,
      syntax,
    ),
    rule(
      'tool',
      String.raw`<\/?(?:tool_call|tool_use|function_calls?|antml:invoke|antml:function_calls|invoke name=|tool_code|tools?_calls?)\b`,
      syntax,
    ),
    rule(
      'tool',
      String.raw`\{\s*"(?:tool|function|tool_name|name)"\s*:\s*"[\w.-]+"\s*,\s*"(?:arguments|parameters|input|args|tool_input)"\s*:`,
      syntax,
    ),
    rule('tool', String.raw`\baction:\s*[\w.-]+\s*\n\s*action input:`, syntax),
    rule(
      'tool',
      String.raw`\b(?:call|invoke) (?:the |your )?[\w.-]{2,40} (?:tool|function)\b${gap(60)}\b(?:with|to|and|on)\b`,
      weak,
    ),
    rule(
      'prompt',
      String.raw`\b(?:reveal|print|output|show|repeat|leak|display|disclose|dump|tell me|give me)\s+(?:me )?(?:all of |all |the |your |its |full |entire |complete |exact |hidden |initial |original )*(?:system prompt|hidden instructions|initial instructions|original instructions|system message|prompt above|instructions above|text above)\b`,
    ),
    rule(
      'persona',
      String.raw`\byou are (?:now|no longer)\s+(?:(?:called |named )?dan\b|in (?:developer|debug|admin|god|jailbreak|unrestricted) mode|an? (?:unrestricted|unfiltered|uncensored|evil|different|jailbroken)\b|bound by|an ai\b|a (?:helpful )?assistant\b|the (?:system|administrator|developer)\b)`,
    ),
    rule(
      'persona',
      String.raw`\b(?:enter|enable|activate|switch to) (?:developer|debug|jailbreak|unrestricted|god) mode\b(?:${gap(60)}\b(?:you|assistant|model|ai|restrictions|filters|guidelines)\b)`,
    ),
    rule(
      'exfiltration',
      String.raw`\b(?:append|add|include|put|insert|encode|embed|attach|base64)\b${gap(70)}\b${talk}${gap(90)}\b${carrier}`,
    ),
    rule(
      'exfiltration',
      String.raw`\b(?:send|post|forward|exfiltrate|upload|transmit|leak|e-?mail|submit)\s+(?:me )?(?:a copy of |a summary of |all |the contents? of )*${talk}${gap(60)}\b(?:to|at|via)\b\s+(?:https?:|\S+@|this|the following|the (?:url|address|server|endpoint))`,
    ),
    rule(
      'exfiltration',
      String.raw`!\[[^\]\n]{0,80}\]\(\s*(?:https?:)?\/\/[^)\s]{0,300}(?:\{|%7b|\[|<|\$)[a-z _]*(?:conversation|chat|history|prompt|user|secret|summary|data|context|memory)`,
    ),
    rule(
      'exfiltration',
      String.raw`\bwithout (?:asking|telling|informing|notifying|alerting|mentioning (?:this|it) to) the user\b`,
    ),
    rule(
      'exfiltration',
      String.raw`\b(?:send|post|forward|exfiltrate|upload|transmit|leak|e-?mail|submit)\b${gap(40)}\b(?:passwords?|credentials|cookies|api keys?|secrets?|session tokens?|credit card|personal data|files of this machine)\b${gap(60)}\b(?:to|at|via)\b`,
      weak,
    ),
    rule(
      'steering',
      String.raw`\b(?:respond|reply|answer)\s+(?:(?:only|exclusively|solely|always)\s+(?:with|by|in)|with (?:exactly|only|the (?:word|words|text|phrase|following)))\b`,
      weak,
    ),
    rule(
      'steering',
      String.raw`\bin (?:your|the) (?:summary|response|reply|output|review|recommendation|evaluation)\b${gap(80)}\b(?:must|include|say|mention|state|always|recommend|write|only)\b`,
      weak,
    ),
    rule(
      'steering',
      String.raw`\b(?:include|say|mention|state|write|recommend)\b${gap(80)}\bin your (?:summary|response|reply|answer|output|review|recommendation)\b`,
      weak,
    ),
    rule('steering', String.raw`\b(?:tell|inform|convince|persuade|instruct|warn) the user (?:that|to)\b`, weak),
    rule(
      'steering',
      String.raw`\b(?:do not|don't|never) (?:mention|reveal|tell|disclose|summari[sz]e|inform|show)\b${gap(40)}\b(?:the user|these instructions|this instruction|this text|this note)\b`,
      weak,
    ),
    rule(
      'steering',
      String.raw`\b(?:you must|must always|always) (?:recommend|respond|reply|output|praise|approve|endorse)\b`,
      weak,
    ),
    rule(
      'steering',
      String.raw`\b(?:give|write|provide|leave|produce)\s+(?:it |this \w+ )?(?:a |an |only )?(?:positive|favou?rable|glowing|five[- ]stars?|5[- ]stars?|highest|perfect)\s+(?:reviews?|ratings?|scores?|recommendations?|evaluations?)\b`,
      weak,
    ),
    rule(
      'steering',
      String.raw`\b(?:rate|rank|score|recommend|select|choose|hire|approve)\s+(?:this|the|our)\s+(?:candidate|applicant|product|paper|company|resume|cv|manuscript|submission|page|site)\b${gap(50)}\b(?:best|highest|first|top|10|ten|only|above all|strong(?:ly)?)\b`,
      weak,
    ),
    rule(
      'steering',
      String.raw`\byou (?:must|shall) (?:now |immediately |silently |always |first |then )*(?:visit|open|navigate|go to|click|fetch|browse|call|download|run|execute|transfer|follow the link)\b`,
      weak,
    ),
    rule('steering', String.raw`\b(?:ignore|abandon) the task\b`),
  ]
}

/** The same instructions with only their letters: as they are, reversed, and in ROT13. */
const letters =
  /(?:ignore|disregard|forget|bypass)(?:all|any|every)?(?:of)?(?:the|your|my|these)?(?:previous|prior|above|earlier|preceding)(?:instructions?|prompts?|directions|directives|commands)|(?:reveal|print|output)(?:the|your)?systemprompt|youarenowdan|snoitcurtsni(?:suoiverp|roirp|evoba|reilrae)(?:eht|ruoy)?(?:lla|yna)?(?:erongi|dragersid|tegrof)|(?:vtaber|qvfertneq)(?:nyy|nal)?(?:gur|lbhe)?(?:cerivbhf|cevbe|nobir)vafgehpgvbaf/g

/** A match in folded text. */
export interface Match {
  readonly kind: InjectionKind
  readonly start: number
  readonly end: number
}

const maxMatches = 20

/**
 * Finds instructions to a model in folded text: at most 20, and one for each rule. `isConcealed`: visitors do not see the
 * text, so weak rules apply as well. `isCode` returns whether a position is in visible code, where rules for syntax do not
 * apply.
 */
export function findInstructions(
  text: string,
  { isConcealed, isCode }: { readonly isConcealed: boolean; readonly isCode: (at: number) => boolean },
): readonly Match[] {
  rules ??= makeRules()
  const found: Match[] = []
  for (const { kind, pattern, isWeak = false, isSyntax = false } of rules) {
    if (isWeak && !isConcealed) continue
    for (const { 0: match, index } of text.matchAll(pattern)) {
      if (isSyntax && !isConcealed && isCode(index)) continue
      found.push({ kind, start: index, end: index + match.length })
      break
    }
    if (found.length >= maxMatches) return found
  }
  for (const [start, end] of findPhrases(text)) found.push({ kind: 'override', start, end })
  if (!found.some(({ kind }) => kind === 'override')) found.push(...findLetters(text))
  return found.slice(0, maxMatches)
}

function findLetters(text: string): readonly Match[] {
  const { text: joined, positions } = lettersOf(text)
  return [...joined.matchAll(letters)].slice(0, 1).map(({ 0: match, index }) => ({
    kind: 'override',
    start: positions[index] ?? 0,
    end: (positions[index + match.length - 1] ?? 0) + 1,
  }))
}
