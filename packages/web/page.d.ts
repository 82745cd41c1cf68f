/** The folder that contains the built page. Pass it to `startServer` of `@parlor/server`. */
export declare const pageFolder: string
