export { type Created, createdLines, createProject, ProjectExists } from "./create-project.ts"
