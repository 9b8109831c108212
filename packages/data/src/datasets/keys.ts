import { keyFamilies } from '@harvestman/toolbox/key-families'

const untilDeleted = 'until the dataset is deleted'

/** Prefixes of all store keys of datasets. The docs are generated from these. */
export const datasetKeys = keyFamilies({
  dataset: {
    begins: 'list/datasets/of/',
    keeps: 'A dataset: its key, schema, columns and number of rows, by its team and name',
    writes: 'datasets',
    lives: untilDeleted,
  },
  row: {
    begins: 'list/datasets/rows/',
    keeps: 'A row with its history and the sources of its values',
    writes: 'datasets',
    lives: untilDeleted,
  },
  deleted: {
    begins: 'list/datasets/deleted/',
    keeps: 'A deleted dataset whose rows are not all removed yet',
    writes: 'datasets',
    lives: 'until its rows are removed',
  },
})
