// Builds the mail about a check.
import { titleOf, lineOf, type Told } from './told.ts'
import type { Mail } from './smtp.ts'

const maxDiffs = 5
const maxDiffLength = 20_000

/** Returns the mail about a check for one recipient. */
export function mailOf(told: Told, to: string, now: number): Mail {
  const { record, check, pages } = told
  const diffs =
    record.notification?.email?.includeDiffs === true
      ? pages.flatMap(({ url, diff }) => (diff ? [{ url, diff }] : []))
      : []
  const text = [
    `${titleOf(told)}.`,
    '',
    ...pages.map(lineOf),
    ...diffs
      .slice(0, maxDiffs)
      .flatMap(({ url, diff }) => [
        '',
        url,
        (diff.text ?? JSON.stringify(diff.json, undefined, 2)).slice(0, maxDiffLength),
      ]),
    '',
    `Monitor ${record.id}, check ${check.id}.`,
  ]
  return {
    to,
    subject: titleOf(told),
    text: text.join('\n'),
    id: `${check.id}.${Buffer.from(to).toString('hex').slice(0, 32)}`,
    date: new Date(now),
  }
}
