export * from '@harvestman/pdf'
