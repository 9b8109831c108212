// Schedules as phrases of the public API, such as `daily at 9:00`.

/**
 * Converts a phrase, such as `daily at 9:00` or `every 5 minutes`, to a cron expression. Returns `undefined` if the phrase is
 * unknown.
 */
export function cronOfWords(words: string): string | undefined {
  const text = words.trim().toLowerCase().replaceAll(/[.,]/g, '').replaceAll(/\s+/g, ' ')
  for (const read of [minutes, hourly, hours, daily, weekly]) {
    const cron = read(text)
    if (cron !== undefined) return cron
  }
  return undefined
}

const start = String.raw`(?: start(?:ing)?(?: at| on)? :?(?<at>\d{1,2}))?`

function minutes(text: string): string | undefined {
  const found = new RegExp(`^every (?<every>\\d{1,2}) min(?:ute)?s?${start}$`).exec(text)?.groups
  const every = Number(found?.['every'])
  const at = Number(found?.['at'] ?? 0)
  if (!divides(every, 60) || at > 59) return undefined
  return at === 0 ? `*/${every} * * * *` : `${at}-59/${every} * * * *`
}

function hourly(text: string): string | undefined {
  const found = /^(?:hourly|every hour)(?: (?:at|starting at) :?(?<at>\d{1,2}))?$/.exec(text)?.groups
  const at = Number(found?.['at'] ?? 0)
  return found && at <= 59 ? `${at} * * * *` : undefined
}

function hours(text: string): string | undefined {
  const every = Number(/^every (\d{1,2}) h(?:ou)?rs?$/.exec(text)?.[1])
  return divides(every, 24) ? `0 */${every} * * *` : undefined
}

function daily(text: string): string | undefined {
  const found = /^(?:daily|every day)(?: at (?<hour>\d{1,2})(?::(?<minute>\d{2}))? ?(?<half>am|pm)?)?$/.exec(
    text,
  )?.groups
  if (!found) return undefined
  const { hour: said = '0', minute: past = '0', half } = found
  const [hour, minute] = [Number(said), Number(past)]
  if (minute > 59) return undefined
  if (half === undefined) return hour <= 23 ? `${minute} ${hour} * * *` : undefined
  if (hour < 1 || hour > 12) return undefined
  return `${minute} ${(hour % 12) + (half === 'pm' ? 12 : 0)} * * *`
}

function weekly(text: string): string | undefined {
  return text === 'weekly' || text === 'every week' ? '0 0 * * 0' : undefined
}

function divides(part: number, whole: number): boolean {
  return part >= 1 && part <= whole && whole % part === 0
}
