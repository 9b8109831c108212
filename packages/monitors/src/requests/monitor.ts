// Request schemas of monitors, as in the public API with our additions.
import { z } from 'zod'

import { scheduleSchema } from '../schedule/schedule.ts'
import { change } from './change.ts'
import { notification, webhook } from './notification.ts'
import { targets } from './targets.ts'

const goal = z
  .string()
  .max(2_000)
  .nullable()
  .transform((text) => text?.trim() || null)
  .meta({
    title: 'Goal',
    description: 'A sentence that describes the changes that matter. A language model judges each change by it.',
  })

const fields = {
  name: z.string().trim().min(1).max(256).meta({ title: 'Name', description: 'The display name.' }),
  schedule: scheduleSchema.meta({ title: 'Schedule', description: 'The times of its checks.' }),
  targets,
  webhook: webhook.nullable(),
  notification: notification.nullable(),
  retentionDays: z.int().min(1).max(365).meta({ title: 'Days', description: 'Number of days that checks are stored.' }),
  goal,
  judgeEnabled: z
    .boolean()
    .meta({ title: 'Judge', description: 'Whether a language model judges changes by the goal.' }),
  change,
  maxCreditsPerMonth: z.int().min(1).nullable().meta({
    title: 'Credits',
    description: 'The maximum number of credits that its checks may cost in a month (UTC).',
  }),
}

/** Settings of a new monitor. */
export const newMonitorSchema = z
  .strictObject({
    ...fields,
    webhook: fields.webhook.default(null),
    notification: fields.notification.default(null),
    retentionDays: fields.retentionDays.default(30),
    goal: goal.default(null),
    judgeEnabled: fields.judgeEnabled.optional(),
    change: change.prefault({}),
    maxCreditsPerMonth: fields.maxCreditsPerMonth.default(null),
    origin: z.string().max(200).optional(),
    integration: z.string().max(200).nullable().optional(),
  })
  .meta({
    id: 'NewMonitor',
    title: 'New monitor',
    description: 'The pages, schedule and notifications of a new monitor.',
  })

const { name, schedule, ...others } = fields

/** Changes to a monitor. Absent properties keep their values. */
export const changedMonitorSchema = z
  .strictObject({ ...others, name, schedule, status: z.enum(['active', 'paused']) })
  .partial()
  .extend({ origin: z.string().max(200).optional(), integration: z.string().max(200).nullable().optional() })
  .refine(
    ({ origin: _origin, integration: _integration, ...changes }) =>
      Object.values(changes).some((one) => one !== undefined),
    {
      message: 'must change something, such as name, status, schedule or targets',
    },
  )
  .meta({
    id: 'ChangedMonitor',
    title: 'Changes of a monitor',
    description: 'The properties of a monitor to change. Absent ones stay as they are.',
  })

/** Page size and offset for listing monitors or checks. */
export const listSchema = z.object({
  limit: z.int().min(1).max(100).default(25),
  offset: z.int().min(0).max(100_000).default(0).describe('Number of items to skip.'),
})

/** All statuses of a check. */
export const checkStatuses = [
  ...['queued', 'running', 'completed', 'failed', 'partial', 'skipped_overlap', 'skipped_no_credits'],
] as const
/** The status of a check. */
export type CheckStatus =
  | 'queued'
  | 'running'
  | 'completed'
  | 'failed'
  | 'partial'
  | 'skipped_overlap'
  | 'skipped_no_credits'

/** All statuses of a page in a check. */
export const pageStatuses = ['same', 'new', 'changed', 'removed', 'error'] as const
/** The status of a page in a check. */
export type PageStatus = (typeof pageStatuses)[number]

/** Filter and page for listing checks. */
export const checkListSchema = listSchema.extend({ status: z.enum(checkStatuses as readonly CheckStatus[]).optional() })

/** Filter and page for the pages of a check. */
export const checkPagesSchema = z.object({
  limit: z.int().min(1).max(100).default(25),
  skip: z.int().min(0).max(1_000_000).default(0),
  status: z.enum(pageStatuses).optional(),
})

/** Settings of a new monitor. */
export type NewMonitor = Readonly<z.input<typeof newMonitorSchema>>
/** Changes to a monitor. */
export type ChangedMonitor = Readonly<z.input<typeof changedMonitorSchema>>
