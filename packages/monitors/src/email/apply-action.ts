// The decision of a recipient, made by a link in a mail.
import { EngineError } from '@harvestman/ports'

import type { MonitorKit } from '../kit.ts'
import type { EmailAction } from './links.ts'
import type { RecipientRecord } from '../records/recipients.ts'
import type { EmailResult } from '../results.ts'

/** Milliseconds in which a repeated confirmation, such as a double click, has the result of the first. */
const repeatTime = 5_000

/**
 * Confirms or unsubscribes the recipient of a token. An unsubscription is final. Rejects with `not_found` if the token
 * is unknown or its monitor was deleted.
 */
export async function applyEmailAction(action: EmailAction, token: string, kit: MonitorKit): Promise<EmailResult> {
  const { recipients, monitors, clock } = kit
  const recipient = await recipients.ofToken(token)
  const monitor = recipient && (await monitors.get(recipient.monitor))
  if (!recipient || !monitor) throw new EngineError('not_found', 'No recipient has this token.')
  const now = clock.now()
  let before: RecipientRecord = recipient
  await recipients.update(recipient, (old) => {
    before = old
    if (old.decision === 'unsubscribed' || (old.decision === 'confirmed' && action === 'confirm')) return undefined
    return { decision: action === 'confirm' ? 'confirmed' : 'unsubscribed', decidedAt: now }
  })
  return { result: resultOf(action, before, now), email: recipient.email, monitorName: monitor.name }
}

function resultOf(action: EmailAction, { decision, decidedAt }: RecipientRecord, now: number): EmailResult['result'] {
  if (decision === 'unsubscribed') return 'already_unsubscribed'
  if (action === 'unsubscribe') return 'unsubscribed'
  return decision === 'confirmed' && now - (decidedAt ?? 0) > repeatTime ? 'already_confirmed' : 'confirmed'
}
