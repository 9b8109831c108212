export * from '@harvestman/hosting'
